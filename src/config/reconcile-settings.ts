import { z } from 'zod';
import { defaultPolicy, fewestMisses } from '../domain/policy.ts';
import { cronProblem } from './cron.ts';
import { section, setting } from './setting.ts';
import { patterns, share, wholeNumber, yesOrNo } from './value-shapes.ts';

const mode = z.enum(['report-only', 'auto-remove']);
const modes = '`report-only` or `auto-remove`';
const year = 365 * 24 * 3600;
const noLimitOff = 'There is no way to do without.';
const noOff = 'There is no way to turn the guard off.';

const cron = z.string().superRefine((expression, context) => {
  const problem = cronProblem(expression);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const modeOf = (kind: string) =>
  setting(mode, { about: `The policy for every registered ${kind}, where it differs.`, expects: modes });

/** How one catalog is reconciled. Written at the top for all, below a catalog for that one. */
export const reconcileSettings = section(
  'How catalogs are reconciled. Below a catalog the same keys hold for that catalog alone; the nearest one counts.',
  {
    enabled: setting(yesOrNo, {
      about: 'Whether rounds run on a schedule. Rounds on request work either way.',
      expects: '`true` or `false`',
      fallback: false,
    }),
    intervalSecs: setting(wholeNumber(10, year), {
      about: 'Seconds from one scheduled round to the next. Not beside `cron`.',
      expects: 'a whole number of seconds, at least 10 and at most a year',
      fallback: 3600,
    }),
    cron: setting(cron, {
      about:
        'A cron expression, in UTC, instead of `intervalSecs`. Grace grows by at most twice its shortest gap a round.',
      expects: 'five fields in quotes, as in `"30 3 * * *"`',
    }),
    jitterPercent: setting(wholeNumber(0, 100), {
      about:
        'How far a scheduled round may start late, so that catalogs do not all start at once, in percent of the ' +
        'interval. With `cron` never more than five minutes.',
      expects: 'a whole number from 0 to 100',
      fallback: 20,
    }),
    probesInFlight: setting(wholeNumber(1, 64), {
      about:
        'Calls to the source of one catalog that run at the same time. Raise it only while the source stays quick.',
      expects: 'a whole number from 1 to 64',
      fallback: 16,
    }),
    policy: setting(mode, {
      about: 'Whether stale registrations wait for an approval or go once they are due.',
      expects: modes,
      fallback: defaultPolicy.mode,
    }),
    policyByKind: section(
      'Another policy for one kind of registration. A catalog that sets `policy` starts without those at the top.',
      { schema: modeOf('schema'), table: modeOf('table'), view: modeOf('view'), topic: modeOf('topic') },
    ),
    misses: setting(wholeNumber(fewestMisses, 100), {
      about:
        'Complete rounds in a row in which an object must be missing. One is never enough, and nobody can waive it.',
      expects: `a whole number from ${fewestMisses} to 100`,
      fallback: defaultPolicy.misses,
    }),
    graceSecs: setting(wholeNumber(0, year), {
      about:
        'Seconds over which those rounds must stretch. An approval waives it. 0 together with `auto-remove` needs ' +
        '`acknowledgeNoGrace`.',
      expects: 'a whole number of seconds, at most a year',
      fallback: defaultPolicy.graceMs / 1000,
    }),
    acknowledgeNoGrace: setting(yesOrNo, {
      about: 'Says that `graceSecs: 0` is meant even though nobody is asked before a removal.',
      expects: '`true` or `false`',
      fallback: false,
    }),
    minimumAgeSecs: setting(wholeNumber(0, year), {
      about: 'A registration younger than this is never removed. Nobody can waive it.',
      expects: 'a whole number of seconds, at most a year',
      fallback: defaultPolicy.minimumAgeMs / 1000,
    }),
    approvalTtlSecs: setting(wholeNumber(60, year), {
      about: 'An approval that was not carried out by then is void.',
      expects: 'a whole number of seconds, at least 60 and at most a year',
      fallback: defaultPolicy.approvalTtlMs / 1000,
    }),
    approveAttended: setting(yesOrNo, {
      about: 'In `auto-remove`, whatever has an owner, tags, policies or grants still waits for an approval.',
      expects: '`true` or `false`',
      fallback: defaultPolicy.approveAttended,
    }),
    fourEyes: setting(yesOrNo, {
      about: 'An override of the guard admits nothing before another person than its requester approved it.',
      expects: '`true` or `false`',
      fallback: defaultPolicy.fourEyes,
    }),
    // a slower pace than one in about three hours could not be told from one that stands still
    removalsPerSecond: setting(share(0.0001, 100), {
      about: 'Removals of one catalog per second, in the long run.',
      expects: 'a number from 0.0001 to 100',
      fallback: defaultPolicy.removalsPerSecond,
    }),
    removalBurst: setting(wholeNumber(1, 100), {
      about: 'Removals that may follow each other at once after a pause.',
      expects: 'a whole number from 1 to 100',
      fallback: defaultPolicy.removalBurst,
    }),
    maxRemovalsPerRound: setting(wholeNumber(1, 100_000), {
      about:
        'Registrations of one catalog that may go between two published rounds, approved or due. A container counts ' +
        'itself and everything inside.',
      expects: `a whole number from 1 to 100000. ${noLimitOff}`,
      fallback: defaultPolicy.removalsPerRound,
    }),
    maxRemovalsPerDay: setting(wholeNumber(1, 1_000_000), {
      about: 'The same within any 24 hours.',
      expects: `a whole number from 1 to 1000000. ${noLimitOff}`,
      fallback: defaultPolicy.removalsPerDay,
    }),
    keepSavedAttachmentsDays: setting(wholeNumber(1, 36_500), {
      about:
        'Days for which owner, tags, policies, grants and the like of a removed registration are kept. Until then its ' +
        'removal can be undone, and it counts as one that was removed before.',
      expects: 'a whole number from 1 to 36500',
      fallback: defaultPolicy.savedAttachmentsMs / (24 * 3600 * 1000),
    }),
    keepAuditDays: setting(wholeNumber(30, 36_500), {
      about:
        'Days for which lines of the audit are kept. Rounds, findings, decisions and removals are kept in any case.',
      expects: 'a whole number from 30 to 36500',
      fallbackText: 'for ever',
    }),
    // the upper bounds are what keeps the guard a guard: with larger ones it would hold nothing back
    guard: section(`When a round is held: reported, and nothing removed until a person looked. ${noOff}`, {
      maxSharePercent: setting(share(0, 50), {
        about: 'Held if a larger share than this of what was really probed is absent …',
        expects: `a number from 0 to 50. ${noOff}`,
        fallback: defaultPolicy.guard.maxShare * 100,
      }),
      minCount: setting(wholeNumber(0, 1000), {
        about: '… and more registrations than this are.',
        expects: `a whole number from 0 to 1000. ${noOff}`,
        fallback: defaultPolicy.guard.minCount,
      }),
      minProbedPercent: setting(share(10, 100), {
        about: 'Held if less than this share got a conclusive answer.',
        expects: `a number from 10 to 100. ${noOff}`,
        fallback: defaultPolicy.guard.minProbedShare * 100,
      }),
      maxShrinkPercent: setting(share(0, 50), {
        about: 'Held if the catalog lost a larger share of its registrations than recorded drops explain.',
        expects: `a number from 0 to 50. ${noOff}`,
        fallback: defaultPolicy.guard.maxShrink * 100,
      }),
    }),
    include: setting(patterns, {
      about:
        'Only registrations that match one of these patterns are judged. Below a catalog it replaces the list above.',
      expects: 'a list of name patterns such as `"sales/**"`',
      fallback: defaultPolicy.include,
      fallbackText: 'everything',
    }),
    exclude: setting(patterns, {
      about:
        'Registrations that match one of these patterns are not judged. Below a catalog it replaces the list above.',
      expects: 'a list of name patterns such as `"**/tmp_*"`',
      fallback: defaultPolicy.exclude,
      fallbackText: 'nothing',
    }),
    protect: setting(patterns, {
      about: 'Registrations that match one of these patterns are never removed, by nobody. Adds to the lists above it.',
      expects: 'a list of name patterns such as `"finance/**"`',
      fallback: defaultPolicy.protect,
    }),
  },
);
