import { openLakeBench } from '../registries/embedded/lake/lake-bench.ts';
import { backendContract } from './backend-contract.ts';

backendContract('the embedded registry', openLakeBench);
