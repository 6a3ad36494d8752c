/** A moment in ISO form, to the second: sorts as text, and is the same for everybody who reads it. */
export function moment(at: number | undefined): string {
  return at === undefined ? '-' : `${new Date(at).toISOString().slice(0, 19)}Z`;
}
