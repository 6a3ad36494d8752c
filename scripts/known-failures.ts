/** A failure that systems like this one have had in public, by its number in our list, and where no test can show it, why. */
export interface KnownFailure {
  readonly id: string;
  readonly what: string;
  /** Why it cannot happen here, or how far what we do differs; a test by name stands beside it where there is one. */
  readonly why?: string;
}

/** The groups in which failures of this field come; the numbers have gaps, since not every report concerns us. */
export const knownFailures: readonly { readonly group: string; readonly failures: readonly KnownFailure[] }[] = [
  {
    group: 'Outages read as "gone"',
    failures: [
      {
        id: 'B01',
        what: 'A listing threw, the error was swallowed, and every table that it had not seen was marked deleted.',
      },
      { id: 'B02', what: 'A cancelled statement made an object vanish until the next day.' },
      {
        id: 'B07',
        what: 'A source that was still empty at start-up wiped a whole zone, past the policy that forbade it.',
      },
      { id: 'B11', what: 'A server that was down answered 404, and collectors believed it.' },
      { id: 'B16', what: 'One momentary not-found right after an installation deleted what had just been made.' },
    ],
  },
  {
    group: 'Permissions and merged answers',
    failures: [
      {
        id: 'B08',
        what: 'Under the wrong role everything looked removed: one answer stood for "missing" and for "forbidden".',
      },
      { id: 'B10', what: 'A status of 404 carried an authorisation error.' },
      { id: 'B26', what: 'A denial was logged as a warning, and removal stayed armed.' },
    ],
  },
  {
    group: 'Probes that answer wrongly',
    failures: [
      {
        id: 'B13',
        what: 'The exists-check said no for a table that a load would have found.',
        why: 'The second verb is the search by identity: an object that is gone by its name and there by its identity is unknown. A source without identities has its known objects as controls.',
      },
      { id: 'B14', what: 'Everything "existed", since a missing route fell through to one that always answered 200.' },
      { id: 'B17', what: 'A cached not-found, keyed by identity alone, deleted objects of another namespace.' },
      { id: 'B19', what: 'One of three verbs left out the catalog and asked the wrong place.' },
      { id: 'B31', what: 'A fault after the look-up erased the answer, and the table that was there was deleted.' },
    ],
  },
  {
    group: 'Truncation and lost answers',
    failures: [
      { id: 'B05', what: 'A page was lost when the connection dropped, and nobody counted.' },
      { id: 'B25', what: 'The page cursor was not unique, so that rows were skipped.' },
      { id: 'B28', what: 'Connector after connector turned an error into a shorter list.' },
      {
        id: 'B29',
        what: 'A listing that failed in mid-scan must yield no difference at all; a removal must be asked for.',
      },
      { id: 'B82', what: 'Only the first batch was worked on.' },
    ],
  },
  {
    group: 'Partial scans and wrong scopes',
    failures: [
      { id: 'B04', what: 'Clean-up ran although the scan had failed.' },
      { id: 'B20', what: 'A filter was added, and everything that it left out was deleted.' },
      { id: 'B22', what: 'After the first project, all projects not yet visited were cleaned.' },
      { id: 'B23', what: 'Two runs for two accounts wiped each other’s data.' },
    ],
  },
  {
    group: 'Identity',
    failures: [
      { id: 'B37', what: 'A copy carried the copied identifier, and owners and grants swapped between the two.' },
      {
        id: 'B38',
        what: 'One table was registered twice, and both registrations lingered.',
        why: 'Both are present, so neither is touched. A merge is not proposed: which of the two should stay is nothing that a source can tell.',
      },
      { id: 'B40', what: 'Two spellings of one address looked like two sources.' },
    ],
  },
  {
    group: 'Names',
    failures: [
      { id: 'B32', what: 'A dot in a name: nothing found, full success reported.' },
      { id: 'B35', what: 'A percent sign in a name broke the page.' },
    ],
  },
  {
    group: 'Races with change',
    failures: [
      { id: 'B41', what: 'A drop and a rename crossed, and the survivor lost its owner and tags.' },
      { id: 'B43', what: 'A slow cascade met new children, which were orphaned.' },
      { id: 'B47', what: 'One vanished table stopped the housekeeping of all.' },
    ],
  },
  {
    group: 'Outcomes of removals',
    failures: [
      { id: 'B34', what: 'Create accepted a name that drop could not remove; drop said "not dropped".' },
      { id: 'B44', what: 'Losing a race of deletions looked like a server failure, and was retried for ever.' },
      { id: 'B49', what: 'The run broke exactly when there was something to remove: the path had never been tried.' },
      { id: 'B74', what: 'What was already deleted was deleted again on every run.' },
    ],
  },
  {
    group: 'Guards against mass deletion',
    failures: [
      { id: 'B50', what: 'One untouchable object made "everything goes" look like "something stays".' },
      { id: 'B52', what: 'The guard’s percentage could exceed 100, so it was switched off.' },
      { id: 'B53', what: 'A clean-up that was wanted could not be done, in part neither.' },
      { id: 'B55', what: 'An edit of the configuration made everything look unwanted.' },
      { id: 'B56', what: 'Nobody could tell what the guard had already let through.' },
      { id: 'B58', what: 'Incomplete answers read as "the user removed everything".' },
    ],
  },
  {
    group: 'Grace and clocks',
    failures: [
      { id: 'B59', what: 'The documented grace was four days, the effective one zero.' },
      { id: 'B61', what: 'The deletion came before the announced date.' },
      { id: 'B62', what: 'A clock that jumped ahead expired everything.' },
    ],
  },
  {
    group: 'Cascades, lost metadata, undo',
    failures: [
      { id: 'B46', what: 'One row that could not be read broke the list for everyone; undo and expiry raced.' },
      { id: 'B64', what: 'Restore could not bring back what soft delete had destroyed.' },
      { id: 'B65', what: 'What came back had only the bare minimum.' },
      {
        id: 'B67',
        what: 'Present at the source again, still marked deleted.',
        why: 'There is no quarantine here: a removed registration is gone from the registry, and an object that comes back is registered by an import or by undoing the removal.',
      },
      { id: 'B68', what: 'What was deleted came back after a restart.' },
      { id: 'B70', what: 'A cascading drop left the registration and its secrets; the answer did not tell.' },
      { id: 'B71', what: 'By-products of grants outlived their catalog.' },
      { id: 'B73', what: 'Hidden things came back without anybody having decided so.' },
      { id: 'B76', what: 'The tables went, the empty container stayed.' },
      { id: 'B77', what: 'Only tables were ever cleaned, never the schemas around them.' },
    ],
  },
  {
    group: 'Scale and starvation',
    failures: [
      {
        id: 'B79',
        what: 'A repair held everything in memory and died.',
        why: 'Registrations are read, asked about and judged in pages; a worker’s memory and a run’s events over 100,000 registrations are measured in benchmarks.md.',
      },
      {
        id: 'B80',
        what: 'A few slow items made the queue look dead.',
        why: 'A source is asked in batches with a bound each, several in flight, and catalogs do not share a lane; a batch that stays slow ends as unreachable for its catalog alone.',
      },
      { id: 'B83', what: 'A clean-up of minutes took days inside the main job.' },
      { id: 'B85', what: 'A purge in one transaction took the server down.' },
      { id: 'B97', what: 'Limits of a queue are not limits of a customer.' },
    ],
  },
  {
    group: 'Approvals and stale plans',
    failures: [
      { id: 'B86', what: 'An approval that was sent early was lost.' },
      { id: 'B88', what: 'A change that had been reverted was still applied.' },
      { id: 'B89', what: 'The plan under review was not the plan that would run.' },
    ],
  },
  {
    group: 'Durable execution',
    failures: [
      { id: 'B91', what: 'A loop was terminated at its event limit.' },
      { id: 'B92', what: 'Editing a jittered schedule lost a run.' },
      { id: 'B94', what: 'Signals that arrived during continue-as-new were missing afterwards.' },
      { id: 'B95', what: 'After continue-as-new the cron stopped.' },
      { id: 'B98', what: 'The history of failed runs disappeared with the engine’s retention.' },
    ],
  },
];
