import { asc, eq, gt } from 'drizzle-orm';
import { translated } from './database-failure.ts';
import { type EmbeddedDatabase, inTransaction } from './database.ts';
import { nameProblem } from './names.ts';
import { checkVersion } from './operations/expected-version.ts';
import type { Asked } from './catalog-directory.ts';
import { invalidCursor, nameCursorOf, parseNameCursor } from './page-cursor.ts';
import { RegistryRefusal } from './refusal.ts';
import type { PageRequest } from './registrations.ts';
import { RegistryDesk } from './registry-desk.ts';
import { metalakes } from './schema.ts';

export interface Metalake {
  readonly name: string;
  readonly owner?: string;
  readonly comment?: string;
  readonly version: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface MetalakePage {
  readonly items: readonly Metalake[];
  readonly next?: string;
}

/** The metalakes of one embedded store, for the routes and for whoever sets it up. */
export class EmbeddedMetalakes {
  readonly #db: EmbeddedDatabase;
  readonly #now: () => number;

  constructor(deps: { readonly db: EmbeddedDatabase; readonly now: () => number }) {
    this.#db = deps.db;
    this.#now = deps.now;
  }

  /** The creator becomes the owner, unless another one is named. */
  async create(
    wanted: { readonly name: string; readonly owner?: string; readonly comment?: string },
    actor: string,
  ): Promise<Metalake> {
    const problem = nameProblem(wanted.name);
    if (problem !== undefined) throw new RegistryRefusal('invalid-name', problem);
    const at = this.#now();
    const values = { owner: actor, ...wanted, createdAt: at, updatedAt: at };
    const rows = await translated(async () =>
      this.#db.insert(metalakes).values(values).onConflictDoNothing().returning(),
    );
    const [row] = rows;
    if (row !== undefined) return metalakeOf(row);
    throw new RegistryRefusal('already-exists', `metalake ${JSON.stringify(wanted.name)} exists already`);
  }

  async find(name: string): Promise<Metalake | undefined> {
    const rows = await translated(async () => this.#db.select().from(metalakes).where(eq(metalakes.name, name)));
    return rows[0] === undefined ? undefined : metalakeOf(rows[0]);
  }

  /** Where people work on one of them; `undefined` where it does not exist. */
  async desk(name: string): Promise<RegistryDesk | undefined> {
    if ((await this.find(name)) === undefined) return undefined;
    return new RegistryDesk({ db: this.#db, metalake: name, now: this.#now });
  }

  async page({ after, limit }: PageRequest): Promise<MetalakePage> {
    const name = after === undefined ? undefined : (parseNameCursor(after) ?? invalidCursor());
    const rows = await translated(async () =>
      this.#db
        .select()
        .from(metalakes)
        .where(name === undefined ? undefined : gt(metalakes.name, name))
        .orderBy(asc(metalakes.name))
        .limit(limit + 1),
    );
    const last = rows[limit - 1];
    return {
      items: rows.slice(0, limit).map(metalakeOf),
      ...(rows.length > limit && last !== undefined ? { next: nameCursorOf(last.name) } : {}),
    };
  }

  async setOwner(name: string, owner: string | null, { expectedVersion }: Asked): Promise<Metalake> {
    return translated(async () =>
      inTransaction(this.#db, async (tx) => {
        const [row] = await tx.select().from(metalakes).where(eq(metalakes.name, name)).for('update');
        if (row === undefined) throw new RegistryRefusal('not-found', `no metalake ${JSON.stringify(name)}`);
        checkVersion(metalakeOf(row), expectedVersion);
        if (row.owner === owner) return metalakeOf(row);
        const changed = { ...row, owner, version: row.version + 1, updatedAt: this.#now() };
        await tx.update(metalakes).set(changed).where(eq(metalakes.name, name));
        return metalakeOf(changed);
      }),
    );
  }
}

function metalakeOf({ owner, comment, version, ...rest }: typeof metalakes.$inferSelect): Metalake {
  return {
    ...rest,
    ...(owner === null ? {} : { owner }),
    ...(comment === null ? {} : { comment }),
    version: String(version),
  };
}
