import { counted } from './configuration.ts';
import { marked } from '../terminal/table.ts';
import { type Area, areas, type Diagnosis } from './diagnosis.ts';

const titles: Readonly<Record<Area, string>> = {
  configuration: 'Configuration',
  credentials: 'Credentials',
  temporal: 'Temporal',
  ledger: 'Ledger',
  registry: 'Registry',
  sources: 'Sources',
  api: 'API',
};

/** The same width for all, and capitals for what keeps something from working. */
const marks: Readonly<Record<Diagnosis['state'], string>> = {
  ok: '  ok     ',
  warning: '  warning',
  wrong: '  WRONG  ',
  skipped: '  skipped',
};

/** Area by area, each diagnosis with what to do about it, folded to a terminal's width. */
export function reportLines(diagnoses: readonly Diagnosis[]): readonly string[] {
  return areas.flatMap((area) => {
    const own = diagnoses.filter((diagnosis) => diagnosis.area === area);
    return own.length === 0 ? [] : [titles[area], ...own.flatMap(diagnosisLines), ''];
  });
}

function diagnosisLines({ subject, state, text, mend }: Diagnosis): string[] {
  return [
    ...marked(marks[state], `${subject}: ${text}`),
    ...(mend === undefined ? [] : marked(' '.repeat(marks[state].length), `To mend it: ${mend}`)),
  ];
}

/** How it stands, in one line. */
export function summary(diagnoses: readonly Diagnosis[]): string {
  const wrong = countOf(diagnoses, 'wrong');
  const warnings = countOf(diagnoses, 'warning');
  const others = warnings === 0 ? '' : counted(warnings, 'warning');
  if (wrong === 0) return others === '' ? 'All is well.' : `Nothing is wrong; ${others}.`;
  const said = wrong === 1 ? '1 thing is wrong' : `${wrong} things are wrong`;
  return others === '' ? `${said}.` : `${said}; ${others}.`;
}

export function countOf(diagnoses: readonly Diagnosis[], state: Diagnosis['state']): number {
  return diagnoses.filter((diagnosis) => diagnosis.state === state).length;
}
