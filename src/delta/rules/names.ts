import { invalid } from '../wire/fields.ts';

const tableName = /^[A-Za-z0-9_@-]{1,255}$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `what` names the field in the message: `Table name`. */
export function requireText(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw invalid(`${what} is required.`);
  return value;
}

export function checkTableName(name: string, what: string): void {
  if (tableName.test(name)) return;
  throw invalid(`${what} must be 1 to 255 letters, digits, "_", "@" or "-": ${JSON.stringify(name.slice(0, 300))}.`);
}

/** In the form in which ids are compared. */
export function readUuid(value: string | undefined, path: string): string {
  if (value === undefined) throw invalid(`${path} is required.`);
  if (!uuid.test(value)) throw invalid(`${path} is not a UUID: ${JSON.stringify(value.slice(0, 100))}.`);
  return value.toLowerCase();
}
