import type { SchemaRef } from '../table.ts';
import {
  fixedProperties,
  requiredProtocol,
  suggestedFeatures,
  suggestedProperties,
  tableIdKey,
} from '../rules/managed-contract.ts';
import { checkTableName, requireText } from '../rules/names.ts';
import { credentialJson } from '../wire/credentials-answer.ts';
import { Fields } from '../wire/fields.ts';
import type { JsonObject } from '../wire/json.ts';
import { type Operation, type ReadBody, textIn } from './context.ts';
import { requireFreeName } from './free-name.ts';

/** Promises a place to a managed table that does not exist yet. */
export async function createStagingTable<Cx>(
  { backend }: Operation<Cx>,
  at: SchemaRef,
  body: ReadBody,
  cx: Cx,
): Promise<JsonObject> {
  await backend.authorize({ kind: 'CreateStaging', at, name: textIn(body, 'name') }, cx);
  const name = requireText(new Fields(body(), '', ['name']).text('name'), 'Staging table name');
  checkTableName(name, 'Staging table name');
  const place = await backend.allocateStaging(at, name, cx);
  await requireFreeName(backend, { ...at, table: name }, cx);
  // before it is kept, so that a failure leaves no reservation that nobody can use
  const vended = await backend.vendPathCredential(place.location, 'READ_WRITE', cx);
  const { tableId, location } = await backend.recordStaging(at, name, place, cx);
  return {
    'table-id': tableId,
    'table-type': 'MANAGED',
    location,
    'storage-credentials': [credentialJson(location, 'READ_WRITE', vended)],
    'required-protocol': {
      'min-reader-version': BigInt(requiredProtocol.minReaderVersion),
      'min-writer-version': BigInt(requiredProtocol.minWriterVersion),
      'reader-features': requiredProtocol.readerFeatures,
      'writer-features': requiredProtocol.writerFeatures,
    },
    'suggested-protocol': {
      'reader-features': suggestedFeatures.reader,
      'writer-features': suggestedFeatures.writer,
    },
    'required-properties': { ...Object.fromEntries(fixedProperties), [tableIdKey]: tableId },
    'suggested-properties': suggestedProperties,
  };
}
