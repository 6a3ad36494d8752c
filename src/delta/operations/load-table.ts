import { servable } from '../rules/servable.ts';
import type { TableRef } from '../table.ts';
import type { JsonObject } from '../wire/json.ts';
import { tableAnswer } from '../wire/table-answer.ts';
import type { Operation } from './context.ts';

export async function loadTable<Cx>({ backend }: Operation<Cx>, ref: TableRef, cx: Cx): Promise<JsonObject> {
  await backend.authorize({ kind: 'ReadTable', table: ref }, cx);
  const { table, tracked } = await backend.loadSnapshot(ref, cx);
  return tableAnswer(servable(table), tracked);
}

/** Whatever its format. */
export async function tableExists<Cx>({ backend }: Operation<Cx>, ref: TableRef, cx: Cx): Promise<void> {
  await backend.authorize({ kind: 'ReadTable', table: ref }, cx);
  await backend.resolveTable(ref, cx);
}
