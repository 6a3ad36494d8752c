import { negotiate } from '../rules/protocol-versions.ts';
import { invalid } from '../wire/fields.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Operation } from './context.ts';

const schema = '/v1/catalogs/{catalog}/schemas/{schema}';
const table = `${schema}/tables/{table}`;

const endpoints = [
  `POST ${schema}/staging-tables`,
  `POST ${schema}/tables`,
  `GET ${table}`,
  `POST ${table}`,
  `DELETE ${table}`,
  `HEAD ${table}`,
  `GET ${table}/credentials`,
  `POST ${table}/metrics`,
  'GET /v1/staging-tables/{table_id}/credentials',
  'GET /v1/temporary-path-credentials',
];

export interface ConfigQuery {
  readonly catalog: string | undefined;
  readonly protocolVersions: string | undefined;
}

/** Which version is spoken here, and what is served. */
export async function getConfig<Cx>(
  { backend }: Operation<Cx>,
  { catalog, protocolVersions }: ConfigQuery,
  cx: Cx,
): Promise<JsonObject> {
  await backend.authorize({ kind: 'GetConfig', catalog: catalog ?? '' }, cx);
  if (catalog === undefined || catalog.trim() === '') throw invalid('Query parameter catalog is required.');
  if (protocolVersions === undefined) throw invalid('Query parameter protocol-versions is required.');
  const version = negotiate(protocolVersions);
  await backend.catalogExists(catalog, cx);
  return {
    endpoints: backend.capabilities().rename ? [...endpoints, `POST ${table}/rename`] : endpoints,
    'protocol-version': version,
  };
}
