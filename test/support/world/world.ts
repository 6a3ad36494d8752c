import type { ControlAnswers } from '../../../src/domain/controls.ts';
import { type Path, parentPath, pathText } from '../../../src/domain/path.ts';
import type { Attachments, EntityKind, ObjectKind, Registration } from '../../../src/domain/registration.ts';
import { entityKindOf } from '../../../src/domain/registration.ts';

/** What really exists at the source. */
export interface WorldObject {
  readonly uid: string;
  readonly found: ObjectKind;
  readonly path: Path;
}

export interface WorldRegistration extends Registration {
  readonly attachments: Attachments;
}

/** Something that took a registration away, with the truth at that moment. */
export interface WorldRemoval {
  readonly id: string;
  readonly path: Path;
  readonly intentId: string;
  readonly actor: string;
  /** Whether the very object that was registered, or any of its name, existed when it was removed. */
  readonly objectExisted: boolean;
}

/** A registration that was given another name on our request. */
export interface WorldRepoint {
  readonly id: string;
  readonly from: Path;
  readonly to: Path;
  readonly intentId: string;
  readonly actor: string;
}

/** A registration that came back on our request. */
export interface WorldRestore {
  readonly id: string;
  readonly path: Path;
  readonly restoreId: string;
  readonly actor: string;
}

/** A source and a registry in memory that know the truth, for one catalog. Faults are set by the tests. */
export class World {
  readonly catalog: string;
  fingerprint = 'world-1';
  principal = 'reader';
  /** By path text; shared by the catalogs that stand on one source. */
  readonly objects: Map<string, WorldObject>;
  readonly registrations = new Map<string, WorldRegistration>();
  readonly removals: WorldRemoval[] = [];
  readonly repoints: WorldRepoint[] = [];
  readonly restores: WorldRestore[] = [];
  /** What removals took, by id, for as long as it is gone. */
  readonly buried = new Map<string, { readonly registration: WorldRegistration; readonly intentId: string }>();
  /** Tags that can be given; any where not set. */
  tags: ReadonlySet<string> | undefined;
  /** Registrations dropped by others, with the time. */
  readonly drops: number[] = [];
  /** Thrown by the next questions to the source, for as long as it is set. */
  sourceFault: Error | undefined;
  /** Awaited before each question is answered: a place to hold a round, to change the world, or to wait. */
  beforeAnswer: ((asked: 'check' | 'probe' | 'identify') => Promise<void>) | undefined;
  /** Control answers that are wrong, as an untrustworthy source gives them. */
  wrongControls: Partial<Pick<ControlAnswers, 'builtin' | 'impossible'>> = {};
  /** How many of a batch's answers get lost without an error. */
  answersLost = 0;
  /** By how much the registry's count differs from what it lists. */
  miscounted = 0;
  /** Why the registry refuses to remove, re-point or restore anything, while it does. */
  refusal: string | undefined;
  /** The registry answers that it removed, and did nothing. */
  removesInWordsOnly = false;
  /** Awaited by the registry before a removal looks at anything. */
  beforeRemove: (() => Promise<void>) | undefined;
  /** Awaited by the registry after a removal was done and before it answers. */
  afterRemove: (() => Promise<void>) | undefined;
  /** Awaited by the registry before and after a registration is re-pointed. */
  beforeRepoint: (() => Promise<void>) | undefined;
  afterRepoint: (() => Promise<void>) | undefined;
  /** Awaited by the registry before and after a removal is undone. */
  beforeRestore: (() => Promise<void>) | undefined;
  afterRestore: (() => Promise<void>) | undefined;
  managedKinds: readonly EntityKind[] = [];
  questions = 0;
  readonly #ids: { last: number };

  /** @param beside another catalog whose source is this one's too */
  constructor(catalog: string, beside?: World) {
    this.catalog = catalog;
    this.objects = beside?.objects ?? new Map();
    this.#ids = beside === undefined ? { last: 0 } : beside.#ids;
  }

  /** Creates an object at the source and everything around it that is missing. */
  create(path: Path, found: ObjectKind = path.length === 1 ? 'schema' : 'table'): WorldObject {
    const parent = parentPath(path);
    if (parent !== undefined && !this.objects.has(pathText(parent))) this.create(parent, 'schema');
    const object: WorldObject = { uid: `uid-${++this.#ids.last}`, found, path };
    this.objects.set(pathText(path), object);
    return object;
  }

  /** Drops an object and everything inside it. */
  drop(path: Path): void {
    for (const [text, object] of this.objects) {
      if (path.every((segment, level) => object.path[level] === segment)) this.objects.delete(text);
    }
  }

  rename(from: Path, to: Path): void {
    const object = this.objects.get(pathText(from));
    if (object === undefined) throw new Error(`nothing to rename at ${pathText(from)}`);
    this.objects.delete(pathText(from));
    this.objects.set(pathText(to), { ...object, path: to });
  }

  /** Registers an object that exists, and its containers; attachments may be given. */
  register(path: Path, attachments: Partial<Attachments> = {}, createdAt = 0): WorldRegistration {
    const parent = parentPath(path);
    if (parent !== undefined && this.at(parent) === undefined) this.register(parent, {}, createdAt);
    const kind =
      entityKindOf(this.objects.get(pathText(path))?.found ?? (path.length === 1 ? 'schema' : 'table')) ?? 'table';
    const registration: WorldRegistration = {
      id: `id-${++this.#ids.last}`,
      kind,
      path,
      version: '1',
      createdAt,
      managed: this.managedKinds.includes(kind),
      attachments: { tags: [], policies: [], grants: [], properties: {}, ...attachments },
    };
    this.registrations.set(registration.id, registration);
    return registration;
  }

  /** Creates and registers at once. */
  add(path: Path, found?: ObjectKind, createdAt = 0): WorldRegistration {
    this.create(path, found);
    return this.register(path, {}, createdAt);
  }

  /** Changes what is attached, which raises the version. */
  touch(id: string, attachments: Partial<Attachments>): void {
    const registration = this.registrations.get(id);
    if (registration === undefined) throw new Error(`nothing registered as ${id}`);
    this.registrations.set(id, {
      ...registration,
      version: String(Number(registration.version) + 1),
      attachments: { ...registration.attachments, ...attachments },
    });
  }

  at(path: Path): WorldRegistration | undefined {
    return [...this.registrations.values()].find((registration) => pathText(registration.path) === pathText(path));
  }
}
