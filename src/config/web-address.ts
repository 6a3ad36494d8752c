/** Whether a text is an address with `https:` or `http:`. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
