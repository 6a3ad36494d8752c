import { MemoryDeltaBackend } from '../support/delta/memory-backend.ts';
import { backendContract } from './backend-contract.ts';

backendContract('in memory', async () => {
  const backend = new MemoryDeltaBackend();
  let schemas = 0;
  return {
    backend,
    cx: { actor: 'ann' },
    async openSchema() {
      schemas += 1;
      const at = { catalog: 'unity', schema: `s${schemas}` };
      backend.store.addSchema(at, `file:///managed/${schemas}`);
      return at;
    },
    close: async () => undefined,
  };
});
