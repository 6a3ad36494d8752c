import { describe, expect, test } from 'vitest';
import { policyFor } from '../../src/config/policy-for.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { loading, problemsOf } from './loading.ts';

const configuration = (all: string, own: string) =>
  `reconcile: {${all}}\nmetalakes: {lake: {catalogs: {shop: {provider: postgresql, connection: {host: h, database: d, user: u}, reconcile: {${own}}}}}}`;
const effective = (all: string, own: string) => policyFor(loading(configuration(all, own)), 'lake', 'shop');

describe('what holds in effect', () => {
  test('is the default, all of it, where nothing is written', () => {
    expect(effective('', '')).toEqual({
      policy: defaultPolicy,
      enabled: false,
      schedule: { intervalMs: 3_600_000 },
      intervalMs: 3_600_000,
      jitterPercent: 20,
      probesInFlight: 16,
    });
  });

  test('for a catalog that the file does not name is what is written for all', () => {
    const config = loading(configuration('misses: 5, enabled: true', 'misses: 9'));
    expect(policyFor(config, 'lake', 'another')).toMatchObject({ enabled: true, policy: { misses: 5 } });
    expect(policyFor(config, 'pond', 'shop')).toMatchObject({ policy: { misses: 5 } });
  });

  test.each([
    ['B59 the grace of nobody is the documented one', '', '', { graceMs: 86_400_000 }],
    ['B59 a grace of zero is zero', 'graceSecs: 0', '', { graceMs: 0 }],
    ['the catalog counts before all', 'graceSecs: 10', 'graceSecs: 20', { graceMs: 20_000 }],
    ['even with zero', 'graceSecs: 10', 'graceSecs: 0', { graceMs: 0 }],
    ['even with false', 'approveAttended: true', 'approveAttended: false', { approveAttended: false }],
    ['what the catalog leaves out is from above', 'misses: 4', 'graceSecs: 1', { misses: 4, graceMs: 1_000 }],
    ['ages', 'minimumAgeSecs: 7, approvalTtlSecs: 60', '', { minimumAgeMs: 7_000, approvalTtlMs: 60_000 }],
    ['the pace', 'removalsPerSecond: 2', 'removalBurst: 3', { removalsPerSecond: 2, removalBurst: 3 }],
    ['the limits', 'maxRemovalsPerRound: 7', 'maxRemovalsPerDay: 9', { removalsPerRound: 7, removalsPerDay: 9 }],
    [
      'how long things are kept',
      'keepSavedAttachmentsDays: 2',
      'keepAuditDays: 30',
      { savedAttachmentsMs: 172_800_000, auditMs: 2_592_000_000 },
    ],
    ['four eyes', 'fourEyes: true', '', { fourEyes: true }],
    ['include is replaced', 'include: [a]', 'include: [b]', { include: ['b'] }],
    ['by nothing too', 'include: [a]', 'include: []', { include: [] }],
    ['exclude is replaced', 'exclude: [a]', 'exclude: [b]', { exclude: ['b'] }],
    [
      'protect adds up',
      'protect: [a]',
      'protect: [b, a]',
      { protect: ['public', 'information_schema', 'pg_catalog', 'a', 'b'] },
    ],
    ['protect cannot be emptied', '', 'protect: []', { protect: defaultPolicy.protect }],
    [
      'kinds add up',
      'policyByKind: {table: auto-remove}',
      'policyByKind: {view: auto-remove}',
      {
        modeByKind: { table: 'auto-remove', view: 'auto-remove' },
      },
    ],
    [
      'a policy of the catalog stands alone',
      'policyByKind: {table: auto-remove}',
      'policy: report-only',
      {
        mode: 'report-only',
        modeByKind: {},
      },
    ],
    [
      'the guard, limit by limit',
      'guard: {maxSharePercent: 1, minCount: 2}',
      'guard: {minCount: 3}',
      {
        guard: { ...defaultPolicy.guard, maxShare: 0.01, minCount: 3 },
      },
    ],
    [
      'shares',
      'guard: {minProbedPercent: 90, maxShrinkPercent: 5}',
      '',
      {
        guard: { ...defaultPolicy.guard, minProbedShare: 0.9, maxShrink: 0.05 },
      },
    ],
  ])('%s', (_name, all, own, policy) => {
    expect(effective(all, own).policy).toMatchObject(policy);
  });

  test.each([
    ['an interval', 'intervalSecs: 60', '', { intervalMs: 60_000 }, 60_000],
    ['an expression', 'cron: "0 3 * * *"', '', { cron: '0 3 * * *' }, 86_400_000],
    ['the nearest of both', 'cron: "0 3 * * *"', 'intervalSecs: 60', { intervalMs: 60_000 }, 60_000],
    ['the nearest of both', 'intervalSecs: 60', 'cron: "0,30 3 * * *"', { cron: '0,30 3 * * *' }, 1_800_000],
  ])('when: %s', (_name, all, own, schedule, intervalMs) => {
    expect(effective(all, own)).toMatchObject({ schedule, intervalMs });
  });
});

describe('B59 auto-remove without grace is refused', () => {
  const all = 'reconcile.graceSecs';
  const own = 'metalakes.lake.catalogs.shop.reconcile.graceSecs';

  test.each<[string, string, string, string[]]>([
    ['at the top', 'policy: auto-remove, graceSecs: 0', '', [all]],
    ['for one kind', 'policyByKind: {view: auto-remove}, graceSecs: 0', '', [all]],
    ['for one catalog', '', 'policy: auto-remove, graceSecs: 0', [own]],
    ['put together from both', 'graceSecs: 0', 'policy: auto-remove', [own]],
    ['put together the other way', 'policy: auto-remove', 'graceSecs: 0', [own]],
    [
      'with an acknowledgement taken back',
      'policy: auto-remove, graceSecs: 0, acknowledgeNoGrace: true',
      'acknowledgeNoGrace: false',
      [own],
    ],
    ['unless acknowledged', 'policy: auto-remove, graceSecs: 0, acknowledgeNoGrace: true', '', []],
    ['unless acknowledged where it happens', 'graceSecs: 0', 'policy: auto-remove, acknowledgeNoGrace: true', []],
    ['not with any other grace', 'policy: auto-remove, graceSecs: 1', '', []],
    ['not without auto-remove', 'graceSecs: 0', '', []],
    ['not where the catalog has one', 'graceSecs: 0', 'policy: auto-remove, graceSecs: 5', []],
  ])('%s', (_name, above, below, keys) => {
    expect(problemsOf(configuration(above, below)).map(({ key }) => key)).toEqual(keys);
  });
});
