import type { JsonObject } from '../wire/json.ts';

export const primitives = {
  boolean: ['BOOLEAN', 'boolean'],
  byte: ['BYTE', 'tinyint'],
  short: ['SHORT', 'smallint'],
  integer: ['INT', 'int'],
  long: ['LONG', 'bigint'],
  float: ['FLOAT', 'float'],
  double: ['DOUBLE', 'double'],
  date: ['DATE', 'date'],
  timestamp: ['TIMESTAMP', 'timestamp'],
  timestamp_ntz: ['TIMESTAMP_NTZ', 'timestamp_ntz'],
  string: ['STRING', 'string'],
  binary: ['BINARY', 'binary'],
  variant: ['VARIANT', 'variant'],
} as const satisfies Readonly<Record<string, readonly [typeName: string, typeText: string]>>;

export type Primitive = keyof typeof primitives;

export type DataType =
  | { readonly kind: 'primitive'; readonly name: Primitive }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'array'; readonly element: DataType; readonly containsNull: boolean }
  | { readonly kind: 'map'; readonly key: DataType; readonly value: DataType; readonly valueContainsNull: boolean }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] };

export interface StructField {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  /** Kept as it came. */
  readonly metadata: JsonObject;
}

/** `LONG`, `STRUCT` … */
export function typeName(type: DataType): string {
  return type.kind === 'primitive' ? primitives[type.name][0] : type.kind.toUpperCase();
}

/** The catalog's way to write a type, in lower case: `array<bigint>`. */
export function typeText(type: DataType): string {
  return text(type).toLowerCase();
}

function text(type: DataType): string {
  switch (type.kind) {
    case 'primitive':
      return primitives[type.name][1];
    case 'decimal':
      return decimalText(type);
    case 'array':
      return `array<${text(type.element)}>`;
    case 'map':
      return `map<${text(type.key)},${text(type.value)}>`;
    case 'struct':
      return `struct<${type.fields.map((field) => `${field.name}:${text(field.type)}`).join(',')}>`;
  }
}

export function decimalText({ precision, scale }: { readonly precision: number; readonly scale: number }): string {
  return `decimal(${precision},${scale})`;
}
