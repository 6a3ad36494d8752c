import type { AuditLedger } from './audit-ledger.ts';
import type { CatalogLedger } from './catalog-ledger.ts';
import type { DecisionLedger } from './decision-ledger.ts';
import type { FiguresLedger } from './figures-ledger.ts';
import type { FindingLedger } from './finding-ledger.ts';
import type { KeepLedger } from './keep-ledger.ts';
import type { RemovalLedger } from './removal-ledger.ts';
import type { RequestKeyLedger } from './request-key-ledger.ts';
import type { RestoreLedger } from './restore-ledger.ts';
import type { RetentionLedger } from './retention-ledger.ts';
import type { RoundLedger } from './round-ledger.ts';

export type * from './audit-ledger.ts';
export type * from './catalog-ledger.ts';
export type * from './decision-ledger.ts';
export type * from './figures-ledger.ts';
export type * from './finding-ledger.ts';
export type * from './keep-ledger.ts';
export type * from './removal-ledger.ts';
export type * from './request-key-ledger.ts';
export type * from './restore-ledger.ts';
export type * from './retention-ledger.ts';
export type * from './round-ledger.ts';
export type * from './round-rows.ts';
export type { CatalogKey } from './records.ts';

/** Our database: all truth that workflows must not hold. Throws `LedgerUnavailable` when it cannot be reached. */
export interface Ledger {
  readonly rounds: RoundLedger;
  readonly findings: FindingLedger;
  readonly decisions: DecisionLedger;
  readonly keeps: KeepLedger;
  readonly removals: RemovalLedger;
  readonly restores: RestoreLedger;
  readonly catalogs: CatalogLedger;
  readonly audit: AuditLedger;
  readonly requestKeys: RequestKeyLedger;
  readonly retention: RetentionLedger;
  readonly figures: FiguresLedger;
  /** Answers when the database does; for readiness. */
  ping(): Promise<void>;
}
