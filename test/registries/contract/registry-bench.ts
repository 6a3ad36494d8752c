import { expect } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import type { Attachments, EntityKind, Registration } from '../../../src/domain/registration.ts';
import type { Registry, RemoveRequest } from '../../../src/registries/registry.ts';

/** A registry under test, and the hands of everybody else who uses it. */
export interface RegistryBench {
  readonly registry: Registry;
  /** A fresh catalog with nothing in it; nobody manages any storage unless said so. */
  catalog(managedKinds?: readonly EntityKind[]): Promise<CatalogBench>;
  /** The clock that the registry looks at. */
  readonly clock: { now: number };
  close(): Promise<void>;
}

/** What people attach; secrets go in with what they hold, and come out by name. */
export type Attaching = Partial<Omit<Attachments, 'secrets'>> & { readonly secrets?: Readonly<Record<string, string>> };

export interface CatalogBench {
  readonly name: string;
  add(kind: EntityKind, path: Path): Promise<Registration>;
  /** Many at once, in any order. */
  addAll(items: readonly { readonly kind: EntityKind; readonly path: Path }[]): Promise<unknown>;
  attach(id: string, what: Attaching): Promise<void>;
  rename(id: string, to: Path): Promise<void>;
  /** Somebody drops it in the registry, with all that is inside. */
  drop(id: string): Promise<void>;
  /** What the source answers when the removal asks for the last time; `absent` unless said otherwise. */
  sourceSays(path: Path, answer: 'absent' | 'present' | 'unknown'): void;
  /** Happens once, while the source is asked for the last time. */
  whileAsking(path: Path, happening: () => Promise<unknown>): void;
  /** What the source was asked about. */
  asked(): readonly string[];
}

export const calm = (): AbortSignal => new AbortController().signal;

/** The removal of one registration as a round judged it just now. */
export async function judged(
  { registry, clock }: RegistryBench,
  catalog: CatalogBench,
  { id, kind, path }: Registration,
): Promise<RemoveRequest> {
  const now = await registry.registration(catalog.name, id, calm());
  const inside = kind === 'schema' ? await registry.inside(catalog.name, path, calm()) : [];
  return {
    catalog: catalog.name,
    id,
    kind,
    path,
    intentId: `intent-${id}`,
    expectedVersion: now?.version ?? 'none',
    expectedInside: inside.map((child) => ({ id: child.id, version: child.version })),
    actor: 'reconciler',
    notAfter: clock.now + 10_000,
  };
}

/** Every registration of a catalog, page by page. */
export async function listed(
  { registry }: RegistryBench,
  catalog: CatalogBench,
  limit = 100,
): Promise<readonly Registration[]> {
  const all: Registration[] = [];
  for (let after: string | undefined; ; ) {
    const page = await registry.registrations(catalog.name, after === undefined ? { limit } : { after, limit }, calm());
    expect(page.items.length).toBeLessThanOrEqual(limit);
    all.push(...page.items);
    if (page.next === undefined) return all;
    after = page.next;
  }
}
