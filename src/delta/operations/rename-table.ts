import { DeltaError } from '../delta-error.ts';
import { checkTableName, requireText } from '../rules/names.ts';
import type { TableRef } from '../table.ts';
import { Fields } from '../wire/fields.ts';
import { type Operation, type ReadBody, textIn } from './context.ts';

export async function renameTable<Cx>(
  { backend }: Operation<Cx>,
  from: TableRef,
  body: ReadBody,
  cx: Cx,
): Promise<void> {
  await backend.authorize({ kind: 'RenameTable', from, to: textIn(body, 'new-name') }, cx);
  if (!backend.capabilities().rename) throw new DeltaError('NotImplemented', 'Tables cannot be renamed here.');
  const to = requireText(new Fields(body(), '', ['new-name']).text('new-name'), 'New table name');
  checkTableName(to, 'New table name');
  if (to === from.table) await backend.resolveTable(from, cx);
  else await backend.renameTable(from, to, cx);
}
