import { z } from 'zod';
import type { CatalogGlance } from '../../api/schemas/catalog.ts';
import type { Config } from '../../config/config.ts';
import { type ApiClient, ApiRefusal, ApiUnreachable, openApi } from '../api-client.ts';
import { everyCatalog } from '../commands/every-catalog.ts';
import { type ApiOptions, checkedActor, checkedToken, checkedUrl } from '../commands/session.ts';
import { osUser } from '../os-user.ts';
import { packageVersion } from '../package-version.ts';
import { counted } from './configuration.ts';
import { type Diagnosis, diagnosing, inTime, whyOf } from './diagnosis.ts';

/** An overview of hundreds of catalogs takes a second or two. */
const withinMs = 15_000;

const { ok, warning, wrong, skipped } = diagnosing('api');

const Liveness = z.object({ alive: z.literal(true), version: z.string() });
const Check = z.object({ ok: z.boolean(), why: z.string().optional() });
const Readiness = z.object({ checks: z.record(z.string(), Check) });

/** What there is to tell of the API; its catalogs where it shows them to us. */
export interface ApiFound {
  readonly diagnoses: readonly Diagnosis[];
  readonly catalogs?: readonly CatalogGlance[];
}

/** Where the API listens by these settings, as one reaches it from here. */
export function configuredApi({ server: { host, port, tls } }: Pick<Config, 'server'>): string {
  const every = host === '0.0.0.0' || host === '::';
  const name = every ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/**
 * Asks the API how it is and how its catalogs stand.
 * @param named whether somebody named its address: then silence is wrong, otherwise it need not run
 */
export async function apiFound(options: ApiOptions, named: boolean): Promise<ApiFound> {
  const { api: url, as, token, tokenFile } = options;
  const client = openApi(checkedUrl(url), checkedActor(as ?? osUser()), checkedToken(token, tokenFile));
  try {
    const { version } = await inTime(withinMs, () => client.get('/livez', Liveness));
    const told = [ok(url, `answers; version ${version}`)];
    if (version !== packageVersion()) {
      const text = `is version ${version}, and this command line is ${packageVersion()}`;
      told.push(warning(url, text, 'use the same version on both sides'));
    }
    told.push(...(await readiness(url)));
    return await catalogsOf(client, told);
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    const text = whyOf(error);
    return {
      diagnoses: [
        named ? wrong(url, text, 'start `api` (or `up`), or correct --api') : skipped(url, `${text}; it need not run`),
      ],
    };
  } finally {
    await client.close();
  }
}

async function readiness(url: string): Promise<readonly Diagnosis[]> {
  try {
    const answer = await inTime(withinMs, async (signal) => {
      const response = await fetch(new URL('/readyz', url), { signal });
      return Readiness.parse(await response.json());
    });
    return Object.entries(answer.checks)
      .filter(([, check]) => !check.ok)
      .map(([name, { why }]) => wrong(name, `the API says: ${why ?? 'not well'}`, `see what is told of ${name} above`));
  } catch (error) {
    return [wrong('/readyz', `is no answer of ours: ${whyOf(error)}`, 'see what listens at that address')];
  }
}

async function catalogsOf(client: ApiClient, told: readonly Diagnosis[]): Promise<ApiFound> {
  try {
    const { catalogs, metalakes } = await inTime(withinMs, () => everyCatalog(client));
    const silent = metalakes
      .filter(({ answered }) => !answered)
      .map(({ name, why }) =>
        wrong(`metalake ${name}`, why ?? 'does not answer', 'bring its registry back, or correct its address'),
      );
    return {
      diagnoses: [
        ...told,
        ok('catalogs', `shows ${counted(catalogs.length, 'catalog')}`),
        ...silent,
        ...catalogs.flatMap(standing),
      ],
      catalogs,
    };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const { title, detail } = error.problem;
    const mend = 'give --token or RECONCILER_TOKEN of a principal that may read';
    return {
      diagnoses: [...told, warning('catalogs', `not shown to us: ${title}. ${detail.replace(/\.$/, '')}`, mend)],
    };
  }
}

/** What keeps a catalog from being judged, or its removals back. */
function standing({ address, state, stateText, stateReason, pause, stop, hold }: CatalogGlance): readonly Diagnosis[] {
  const look = `see \`rounds ${address}\` and docs/operations.md`;
  return [
    ...(state === 'ok' || state === 'never-scanned'
      ? []
      : [warning(address, `${state}: ${(stateReason?.message ?? stateText).replace(/\.$/, '')}`, look)]),
    ...(pause === undefined
      ? []
      : [warning(address, `paused by ${pause.by}: ${pause.reason}`, `\`resume ${address}\` when the reason is gone`)]),
    ...(stop === undefined ? [] : [warning(address, `removals stopped: ${stop.text}`, `\`resume ${address}\``)]),
    ...hold.map(({ text }) => warning(address, `held: ${text}`, `\`stale ${address}\` shows what; then \`override\``)),
  ];
}
