import { DeltaError } from '../../../delta/delta-error.ts';
import { checkExternalLocation, normalizeLocation } from '../../../delta/rules/location.ts';
import type { UnityDesk } from '../../../registries/embedded/lake/unity-desk.ts';
import { ChangeBody, CreateTableBody, storedColumns } from './unity-bodies.ts';
import { change, done } from './unity-changes.ts';
import { creating } from './unity-failure.ts';
import { bodyOf, nextToken, pageOf, required, tableNamed } from './unity-request.ts';
import type { AddUnityRoute } from './unity-routes.ts';
import { nameIn, tableInfo } from './unity-views.ts';

/** Tables of every format. Managed ones are created by the Delta half alone, which knows what they must be. */
export function unityTableRoutes(add: AddUnityRoute, desk: UnityDesk): void {
  add('GET', '/tables', 'read', async (request) => {
    const ref = { catalog: required(request, 'catalog_name'), schema: required(request, 'schema_name') };
    const page = pageOf(request);
    const rows = await desk.tables(ref, page);
    const names = rows.map(({ pathKey }) => nameIn(pathKey));
    return {
      tables: rows.map((row) => tableInfo(ref.catalog, ref.schema, row)),
      next_page_token: nextToken(names, page.limit),
    };
  });
  add('POST', '/tables', 'operate', async (request) => {
    const body = bodyOf(request, CreateTableBody);
    if (body.table_type === 'MANAGED') {
      throw new DeltaError('InvalidArgument', 'A MANAGED table is created below /delta/v1, on a staging table.');
    }
    if (body.storage_location === undefined) {
      throw new DeltaError('InvalidArgument', 'An EXTERNAL table needs its storage_location.');
    }
    const location = normalizeLocation(body.storage_location);
    checkExternalLocation(location);
    const { catalog_name: catalog, schema_name: schema, name: table, comment, properties = {} } = body;
    const wanted = {
      catalog,
      schema,
      table,
      location,
      format: body.data_source_format,
      columns: storedColumns(body.columns),
      properties,
      ...(comment === undefined ? {} : { comment }),
    };
    return creating('TABLE', table, async () =>
      tableInfo(catalog, schema, await desk.createTable(wanted, request.actor.name)),
    );
  });
  add('GET', '/tables/:full_name', 'read', async (request) => {
    const ref = tableNamed(request);
    return tableInfo(ref.catalog, ref.schema, await desk.table(ref));
  });
  add('PATCH', '/tables/:full_name', 'operate', async (request) => {
    const ref = tableNamed(request);
    const wanted = change(bodyOf(request, ChangeBody));
    return creating('TABLE', wanted.newName ?? ref.table, async () =>
      tableInfo(ref.catalog, ref.schema, await desk.alterTable(ref, wanted, request.actor.name)),
    );
  });
  add('DELETE', '/tables/:full_name', 'operate', (request) =>
    done(() => desk.deleteTable(tableNamed(request), request.actor.name)),
  );
}
