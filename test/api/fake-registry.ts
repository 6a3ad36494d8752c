import { ReconcilerFailure } from '../../src/domain/failure.ts';
import type { Registry, RegistryCatalog } from '../../src/registries/registry.ts';

/** A registry of which the API needs to know no more than which catalogs it has. */
export class FakeRegistry implements Registry {
  readonly kind = 'embedded';
  readonly capabilities = {
    conditionalRemove: true,
    attachments: true,
    repoint: true,
    restore: true,
    exclusive: false,
  };
  away = false;
  readonly names: Set<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names);
  }

  async catalogs(): Promise<readonly RegistryCatalog[]> {
    this.#reach();
    return [...this.names].map((name) => catalogOf(name));
  }

  async catalog(name: string): Promise<RegistryCatalog | undefined> {
    this.#reach();
    return this.names.has(name) ? catalogOf(name) : undefined;
  }

  count = notAsked;
  registrations = notAsked;
  registration = notAsked;
  inside = notAsked;
  attachments = notAsked;
  dropsSince = notAsked;
  remove = notAsked;
  repoint = notAsked;
  restore = notAsked;
  outcomeOf = notAsked;
  async close(): Promise<void> {}

  #reach(): void {
    if (this.away) throw new ReconcilerFailure('RegistryUnreachable', 'ECONNREFUSED', 'the registry is away');
  }
}

function catalogOf(name: string): RegistryCatalog {
  return { name, provider: 'postgresql', managedKinds: [] };
}

async function notAsked(): Promise<never> {
  throw new Error('the API has no business here');
}
