import type { Arbitrary } from 'fast-check';
import type { Path } from '../../src/domain/path.ts';
import type { ObjectKind } from '../../src/domain/registration.ts';
import type { ProbeTarget } from '../../src/domain/verdict.ts';
import type { Source } from '../../src/sources/source.ts';

/** A way to make an object of one kind, at a path inside a container (or at the top where there are none). */
export interface Maker {
  readonly kind: ProbeTarget['kind'];
  readonly found: ObjectKind;
  readonly create: (path: Path) => Promise<void>;
}

/**
 * A real system that the contract suite may change, and the adapter under test that looks at it. Each adapter gives one
 * per system that it is tested on; whatever its source cannot do stays out, and the suite says which cases that drops.
 */
export interface SourceWorld {
  /** The adapter, with settings that work; the suite closes it. */
  readonly open: () => Source;
  /** Absent where nothing goes over a network. */
  readonly network?: {
    /** The same settings but another port on loopback, and at most {@link patienceMs} for a connection. */
    readonly openAt: (port: number) => Source;
    readonly patienceMs: number;
    /** Where the system listens on loopback, for a proxy that cuts the connection. */
    readonly port: number;
  };
  /** What must never stand in an error. */
  readonly secret?: string;
  /** The first one makes what most tests are about. */
  readonly makers: readonly [Maker, ...Maker[]];
  readonly drop: (target: ProbeTarget) => Promise<void>;
  readonly rename?: (target: ProbeTarget, to: Path) => Promise<void>;
  /** Containers of the first level, where the source has them. */
  readonly container?: Maker;
  /** Where there are none: a place for objects that no other test uses. Without it all share the top. */
  readonly room?: () => Promise<Path>;
  /** Ends the service at its port; the answer brings it back. */
  readonly breakDown?: () => Promise<() => Promise<void>>;
  /** Names that the source can hold, odd ones above all. */
  readonly names: Arbitrary<string>;
  /** Pairs of names that people take for the same and the source does not. */
  readonly twins: readonly (readonly [string, string])[];
  /** Targets that must not be asked about, and the code of their `unknown`. */
  readonly doubtful: readonly { readonly target: ProbeTarget; readonly code: string }[];
  readonly close: () => Promise<void>;
}
