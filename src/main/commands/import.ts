import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { ImportAnswer } from '../../api/schemas/control.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { type ApiOptions, inSession } from './session.ts';

/** A source of a hundred thousand objects is registered in a few minutes. */
const importTimeoutMs = 10 * 60_000;

/** `import CATALOG`: registers what its source lists; adds, never removes. */
export function runImport(catalog: string, options: ApiOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const name = await resolveCatalog(api, catalog);
    const { body } = await api.post(`${catalogAddress(name)}/import`, ImportAnswer, { timeoutMs: importTimeoutMs });
    if (json) {
      terminal.json(body);
      return exitCodes.ok;
    }
    const { added, existing, skipped } = body;
    terminal.say(
      `${catalogKey(name)}: ${added} registered, ${existing} were already, ${skipped} of kinds that never are.`,
    );
    terminal.tell(`Look whether they stay: ${suggest('reconcile', catalogKey(name))}`);
    return exitCodes.ok;
  });
}
