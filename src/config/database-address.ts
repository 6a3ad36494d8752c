/** A PostgreSQL address, taken apart. */
export interface AddressParts {
  readonly settings: Readonly<Record<string, string>>;
  readonly password?: string;
}

/** Takes `postgresql://user:password@host:port/database?sslmode=…` apart, or says why not, without showing any of it. */
export function parseDatabaseAddress(text: string): AddressParts | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: notOne };
  const url = new URL(text);
  if (url.protocol !== 'postgresql:' && url.protocol !== 'postgres:') return { problem: notOne };
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'sslmode');
  if (unknown !== undefined) return { problem: `has the parameter ${unknown}; only sslmode can be given there` };
  if (url.hostname === '') return { problem: 'names no host' };
  try {
    const parts = {
      // brackets belong to the address, not to the host
      host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username),
      sslmode: url.searchParams.get('sslmode') ?? '',
    };
    const settings = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
    return url.password === '' ? { settings } : { settings, password: decodeURIComponent(url.password) };
  } catch {
    return { problem: 'holds a % that begins no escape; a percent sign is written %25' };
  }
}

/** The same address with this password in it. */
export function withPassword(address: string, password: string): string {
  const url = new URL(address);
  // the setter escapes what would end the password early, but leaves a percent sign as it is
  url.password = encodeURIComponent(password);
  return url.href;
}

/** The address as it may be shown: where, not as whom or with which secret. */
export function shownAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}

const notOne = 'is no address of the form postgresql://user@host:5432/database';
