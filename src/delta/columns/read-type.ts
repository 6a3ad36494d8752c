import { Fields, invalid, required } from '../wire/fields.ts';
import { type Json, isJsonObject, member } from '../wire/json.ts';
import { type DataType, type Primitive, type StructField, primitives } from './data-type.ts';
import type { Spelling } from './spelling.ts';

const decimal = /^decimal\(\s*(\d{1,9})\s*,\s*(-?\d{1,9})\s*\)$/;
const maxPrecision = 38;

/** Reads and checks a struct, whole: what is wrong is told with its path from there. */
export function readStruct(value: Json | undefined, path: string, spelling: Spelling): readonly StructField[] {
  const struct = new Fields(value, path, ['type', 'fields']);
  const type = required(struct.text('type'), struct.at('type'));
  if (type !== 'struct') throw invalid(`${struct.at('type')} must be "struct", got ${JSON.stringify(type)}.`);
  const fields = struct.list('fields', (item, at) => readField(item, at, spelling)) ?? [];
  if (fields.length === 0) throw invalid(`${struct.at('fields')} must contain at least one field.`);
  const seen = new Set<string>();
  fields.forEach(({ name }, index) => {
    if (seen.has(name.toLowerCase())) {
      throw invalid(`Duplicate field name (case-insensitive) in ${struct.at(`fields[${index}]`)}: ${name}`);
    }
    seen.add(name.toLowerCase());
  });
  return fields;
}

export function readField(value: Json, path: string, spelling: Spelling): StructField {
  const field = new Fields(value, path, ['name', 'type', 'nullable', 'metadata']);
  const name = field.text('name');
  if (name === undefined || name === '') throw invalid(`${field.at('name')} is required.`);
  return {
    name,
    type: readType(required(field.any('type'), field.at('type')), field.at('type'), spelling),
    nullable: required(field.boolean('nullable'), field.at('nullable')),
    metadata: required(field.object('metadata'), field.at('metadata')),
  };
}

function readType(value: Json, path: string, spelling: Spelling): DataType {
  if (typeof value === 'string') return namedType(value, path);
  if (!isJsonObject(value)) throw invalid(`${path} must be a type: a name or an object.`);
  const kind = member(value, 'type');
  switch (kind) {
    case 'struct':
      return { kind, fields: readStruct(value, path, spelling) };
    case 'array': {
      const { elementType, containsNull } = spelling;
      const array = new Fields(value, path, ['type', elementType, containsNull]);
      return {
        kind,
        element: part(array, elementType, spelling),
        containsNull: required(array.boolean(containsNull), array.at(containsNull)),
      };
    }
    case 'map': {
      const { keyType, valueType, valueContainsNull } = spelling;
      const map = new Fields(value, path, ['type', keyType, valueType, valueContainsNull]);
      return {
        kind,
        key: part(map, keyType, spelling),
        value: part(map, valueType, spelling),
        valueContainsNull: required(map.boolean(valueContainsNull), map.at(valueContainsNull)),
      };
    }
    case 'decimal': {
      const parts = new Fields(value, path, ['type', 'precision', 'scale']);
      const precision = required(parts.int32('precision'), parts.at('precision'));
      return decimalType(precision, required(parts.int32('scale'), parts.at('scale')), path);
    }
    case undefined:
    case null:
      throw invalid(`${path}.type is required.`);
    default:
      if (typeof kind === 'string' && Object.keys(value).length === 1) return namedType(kind, path);
      throw invalid(`${path}: Unsupported Delta type: ${typeof kind === 'string' ? kind : 'not a name'}`);
  }
}

function part(of: Fields, key: string, spelling: Spelling): DataType {
  return readType(required(of.any(key), of.at(key)), of.at(key), spelling);
}

function namedType(name: string, path: string): DataType {
  if (isPrimitive(name)) return { kind: 'primitive', name };
  const [, precision, scale] = decimal.exec(name) ?? [];
  if (precision !== undefined && scale !== undefined) return decimalType(Number(precision), Number(scale), path);
  throw invalid(`${path}: Unsupported Delta primitive type: ${name}`);
}

function decimalType(precision: number, scale: number, path: string): DataType {
  if (precision < 0 || precision > maxPrecision) {
    throw invalid(`${path}.precision must be in [0, ${maxPrecision}], got ${precision}.`);
  }
  if (scale < 0 || scale > precision) throw invalid(`${path}.scale must be in [0, ${precision}], got ${scale}.`);
  return { kind: 'decimal', precision, scale };
}

function isPrimitive(name: string): name is Primitive {
  return Object.hasOwn(primitives, name);
}
