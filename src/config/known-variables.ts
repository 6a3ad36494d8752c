import { type Environment, fileVariable } from './environment.ts';
import { nearest, within } from './nearest-key.ts';
import type { Problem } from './problem.ts';
import { variableName, variableOf } from './setting.ts';
import { listSettings } from './setting-list.ts';
import { settings } from './settings.ts';

/** Variables that were surely meant for us and that nobody reads: a misspelt grace period must not go unnoticed. */
export function strayVariables(environment: Environment): readonly Problem[] {
  return Object.entries(environment).flatMap(([where, value]) => {
    if (!where.startsWith('RECONCILER_') || known.includes(where) || isServiceLink(where, value ?? '')) return [];
    // other variables with our prefix may belong to something else; those of a section, or nearly, do not
    const meant = sections.test(where) ? nearest(where, known) : within(where, known, 2);
    if (meant === undefined && !sections.test(where)) return [];
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return [{ where, text: `is no variable of ours.${question} Rename it, or unset it` }];
  });
}

const known = listSettings(settings)
  .filter(({ byName }) => !byName)
  .map(({ key, setting }) => variableOf(key, setting))
  .concat(fileVariable);

const sections = new RegExp(
  `^(${Object.keys(settings.keys)
    .map((name) => variableName([name]))
    .join('|')})_`,
);

/** Kubernetes puts the address of every service into the environment, and one may be called `reconciler-server`. */
function isServiceLink(name: string, value: string): boolean {
  return /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/.test(name) || /^(tcp|udp|sctp):\/\//.test(value);
}
