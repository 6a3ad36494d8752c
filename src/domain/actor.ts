/** Who did something, and how surely we know. */
export interface Actor {
  readonly name: string;
  /** False until a credential proved the name. */
  readonly verified: boolean;
  readonly via: 'api' | 'cli' | 'temporal' | 'reconciler';
}

/** The identity of unattended work: rounds by schedule, removals by policy. */
export const reconciler: Actor = { name: 'reconciler', verified: true, via: 'reconciler' };
