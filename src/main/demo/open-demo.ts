import type { Config } from '../../config/config.ts';
import { openApi } from '../api-client.ts';
import type { Services } from '../services.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { demoSettingsFile, withDemo } from './demo-config.ts';
import { demoOwner } from './plans.ts';
import { runDemo } from './run-demo.ts';
import { seedDemo } from './seed-demo.ts';
import { startDemoSources } from './start-demo-sources.ts';

/** Making forty objects and registering them takes a second or two; a database that takes longer has a problem. */
const seedWithinMs = 60_000;

/** The demo of one data folder, from its sources to what it tells. */
export interface Demo {
  /** The given configuration with the demo's catalogs in it. */
  readonly config: Config;
  /** Makes what is missing at the sources and in the registry, before any policy is applied. */
  seed(services: Pick<Services, 'metalakes' | 'registryOf'>): Promise<void>;
  /** Once worker and API answer. Never rejects: what went wrong is told, and everything else runs on. */
  run(started: {
    readonly address: string;
    readonly uiAddress: string | undefined;
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
  }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sources, which takes some seconds the first time. */
export async function openDemo(given: Config, dataDir: string): Promise<Demo> {
  const sources = await startDemoSources({
    dataDir,
    ...(given.demoSource === undefined ? {} : { demoSourceUrl: given.demoSource.url.reveal() }),
  });
  const settingsFile = demoSettingsFile(dataDir);
  try {
    const config = await withDemo(given, dataDir, sources);
    return {
      config,
      seed: (services) => seedDemo(services, sources, AbortSignal.timeout(seedWithinMs)),
      async run({ address, uiAddress, terminal, signal }) {
        const api = openApi(address, demoOwner);
        try {
          await runDemo({
            api,
            addresses: {
              api: address,
              ...(uiAddress === undefined ? {} : { temporalUi: uiAddress }),
              temporalNamespace: given.temporal.namespace,
              ...(sources.shellAddress === undefined ? {} : { source: sources.shellAddress }),
              settingsFile,
            },
            sources,
            say: (line) => terminal.say(line),
            progress: (what) => terminal.tell(what),
            signal,
          });
        } catch (error) {
          if (signal.aborted) return;
          terminal.tell(`The demo could not go on: ${error instanceof Error ? error.message : String(error)}`);
          terminal.tell('Everything else runs. Start again, and the demo goes on from here.');
        } finally {
          await api.close();
        }
      },
      stop: () => sources.stop(),
    };
  } catch (error) {
    await sources.stop();
    throw error;
  }
}
