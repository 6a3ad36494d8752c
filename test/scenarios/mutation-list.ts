/** One rule broken on purpose: texts of a source file and what stands in their place. */
export interface Mutation {
  readonly rule: string;
  readonly patches: readonly { readonly file: string; readonly find: string; readonly replace: string }[];
}

const one = (rule: string, file: string, find: string, replace: string): Mutation => ({
  rule,
  patches: [{ file, find, replace }],
});

const identity = 'domain/identity.ts';
const lastLook = 'activities/last-look.ts';
const bar = 'ledger/removals-bar.ts';
const candidates = 'ledger/removals-candidates.ts';

/** Every one of them must be noticed by some invariant, or the world is too weak. */
export const mutations: readonly Mutation[] = [
  one(
    'unknown counts as absent, in a verdict',
    identity,
    `return { kind: 'unknown', code: answer.code };`,
    `return { kind: 'absent', code: answer.code };`,
  ),
  one(
    'unknown counts as absent, in a finding',
    'domain/finding.ts',
    `return before === undefined ? { move: 'none' } : { move: 'open', standing: paused(before, 'unknown-now') };`,
    `return { move: 'open', standing: missed(before, judged, verdict.code, round) };`,
  ),
  one(
    'the last look does not ask the source',
    lastLook,
    `(await askAgain(deps, name, intent, finding, [itself.seen, ...now], signal)) ??`,
    '',
  ),
  one(
    'the last look does not ask for identities',
    lastLook,
    `const located = source.traits.stableIdentity && uids.length > 0 ? await source.identify(uids, signal) : [];`,
    `const located: Awaited<ReturnType<typeof source.identify>> = uids.length < 0 ? await source.identify(uids, signal) : [];`,
  ),
  one(
    'the guard never holds',
    'domain/guard.ts',
    `const reasons: HoldReason[] = [];`,
    `const reasons: HoldReason[] = [];\n  if (reasons.length === 0) return reasons;`,
  ),
  {
    rule: 'an approval is not bound to the digest',
    patches: [
      {
        file: bar,
        find: `of === finding.id && digest === finding.digest`,
        replace: `of === finding.id && digest !== ''`,
      },
      {
        file: candidates,
        find: `and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest))`,
        replace: `eq(findings.id, decisions.finding)`,
      },
      { file: 'ledger/rounds/move-findings.ts', find: ` or d.digest <> j.digest)`, replace: `)` },
    ],
  },
  one('another object under the name is present', identity, `replaced ? 'replaced' : 'present'`, `'present'`),
  one(
    'another object under the name is absent',
    identity,
    `return { kind: replaced ? 'replaced' : 'present', code, found, ...identity };`,
    `return replaced ? { kind: 'absent', code } : { kind: 'present', code, found, ...identity };`,
  ),
  {
    rule: 'counters move in a round that failed',
    patches: [
      {
        file: 'ledger/rounds/end.ts',
        find: `const counts = await countRound(tx, id, catalog);`,
        replace: `const counts = await countRound(tx, id, catalog);\n    await moveFindings(tx, { round: id, catalog, now });`,
      },
      {
        file: 'ledger/rounds/end.ts',
        find: `import { countRound }`,
        replace: `import { moveFindings } from './move-findings.ts';\nimport { countRound }`,
      },
    ],
  },
  one(
    'an incomplete listing is judged',
    'activities/snapshot-registrations.ts',
    `if (row < Math.min(counted, recounted) || row > Math.max(counted, recounted)) {`,
    `if (row < 0 * Math.min(counted, recounted)) {`,
  ),
  one(
    'the second check is skipped',
    'activities/check-catalog.ts',
    `const signal = cancellation();`,
    `const signal = cancellation();\n  if (input.before !== undefined) return input.before;`,
  ),
  one(
    'a missing container speaks for its contents without its own verdict',
    identity,
    `if (parent !== 'absent' || !parentImpliesChild)`,
    `if (parent === 'present' || !parentImpliesChild)`,
  ),
  one(
    'a missing container speaks for its contents where the source says it does not',
    identity,
    `if (parent !== 'absent' || !parentImpliesChild)`,
    `if (parent !== 'absent')`,
  ),
  one(
    'an intent is settled while its request may still run',
    'activities/settle-intent.ts',
    `const waitMs = intent.actBefore + requestTimeoutMs - deps.clock();`,
    `const waitMs = 0 * requestTimeoutMs;`,
  ),
  one(
    'the registry is believed',
    'activities/remove-registration.ts',
    `const isListed = (await registry.registration(input.catalog, intent.entity, signal)) !== undefined;`,
    `const isListed = answer.outcome !== 'removed' && answer.outcome !== 'already-gone';`,
  ),
  one(
    'misses are not waited for',
    'domain/finding.ts',
    `const missesMet = counted.misses >= policy.misses;`,
    `const missesMet = counted.misses >= 1;`,
  ),
  one(
    'grace is counted by the clock, whatever was watched',
    'domain/finding.ts',
    `Math.max(0, Math.min(round.now - before.absentAt, 2 * round.intervalMs))`,
    `Math.max(0, round.now - before.absentAt)`,
  ),
  one(
    'an announced time moves earlier',
    'domain/finding.ts',
    `return Math.max(previous ?? 0, round.now + remaining);`,
    `return round.now + remaining;`,
  ),
  one(
    'misses of another epoch count',
    'domain/finding.ts',
    `before.misses === 0 || before.epoch !== round.epoch`,
    `before.misses === 0`,
  ),
  one(
    'privilege-filtered answers are believed',
    'activities/probe-batch.ts',
    `const conclusive = batch.asked.strength === 'conclusive';`,
    `const conclusive = batch.asked.strength !== 'ambiguous';`,
  ),
  one(
    'what blocks a container is overlooked',
    'activities/judge-round.ts',
    `...(blocker === undefined ? {} : { blocker }),`,
    `...(blocker === undefined || inside > 0 ? {} : { blocker }),`,
  ),
  one('limits are not kept', bar, `limit: limitReached(weightOf(finding), removed, policy),`, `limit: undefined,`),
  one(
    'a round that was closed is published all the same',
    'ledger/rounds/publish.ts',
    `if (round.state !== 'running') throw superseded(input.id);`,
    ``,
  ),
  one(
    'what is attached is not saved',
    'activities/remove-registration.ts',
    `if (look.answer === 'gone-on') await save(deps, input, intent, look.seen);`,
    `if (look.answer !== 'gone-on') await save(deps, input, intent, []);`,
  ),
  one(
    'a registration is re-pointed on old evidence',
    'activities/repoint-registration.ts',
    `(await stillMoved(deps, input, intent, finding, itself.seen, cancellation()))`,
    `goOn(intent.movedTo ?? intent.path)`,
  ),
];
