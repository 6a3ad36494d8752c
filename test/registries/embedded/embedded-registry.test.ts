import { registryContract } from '../registry-contract.ts';
import { openEmbeddedBench } from './embedded-bench.ts';

registryContract('embedded, on PGlite', () => openEmbeddedBench());
