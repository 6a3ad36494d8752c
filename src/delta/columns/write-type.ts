import type { JsonObject } from '../wire/json.ts';
import { type DataType, type StructField, decimalText } from './data-type.ts';
import type { Spelling } from './spelling.ts';

export function structJson(fields: readonly StructField[], spelling: Spelling): JsonObject {
  return { type: 'struct', fields: fields.map((field) => fieldJson(field, spelling)) };
}

export function fieldJson({ name, type, nullable, metadata }: StructField, spelling: Spelling): JsonObject {
  return { name, type: typeJson(type, spelling), nullable, metadata };
}

function typeJson(type: DataType, spelling: Spelling): string | JsonObject {
  switch (type.kind) {
    case 'primitive':
      return type.name;
    case 'decimal':
      return decimalText(type);
    case 'array':
      return {
        type: 'array',
        [spelling.elementType]: typeJson(type.element, spelling),
        [spelling.containsNull]: type.containsNull,
      };
    case 'map':
      return {
        type: 'map',
        [spelling.keyType]: typeJson(type.key, spelling),
        [spelling.valueType]: typeJson(type.value, spelling),
        [spelling.valueContainsNull]: type.valueContainsNull,
      };
    case 'struct':
      return structJson(type.fields, spelling);
  }
}
