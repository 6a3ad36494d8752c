/** The member names of nested types: kebab-case on the wire, camelCase in the stored `type_json`. */
export interface Spelling {
  readonly elementType: string;
  readonly containsNull: string;
  readonly keyType: string;
  readonly valueType: string;
  readonly valueContainsNull: string;
}

export const wireSpelling: Spelling = {
  elementType: 'element-type',
  containsNull: 'contains-null',
  keyType: 'key-type',
  valueType: 'value-type',
  valueContainsNull: 'value-contains-null',
};

export const storedSpelling: Spelling = {
  elementType: 'elementType',
  containsNull: 'containsNull',
  keyType: 'keyType',
  valueType: 'valueType',
  valueContainsNull: 'valueContainsNull',
};
