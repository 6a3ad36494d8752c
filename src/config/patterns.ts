import picomatch from 'picomatch';
import { ReconcilerFailure } from '../domain/failure.ts';
import { type Path, pathText } from '../domain/path.ts';
import type { Policy } from '../domain/policy.ts';
import type { ScopePatterns } from '../domain/scope.ts';

/**
 * The patterns of a policy, ready to answer for the text form of a path. Throws `InvalidRequest` for one that cannot be
 * used: a pattern that silently matched nothing would unprotect what it names, so nothing is judged by such a policy.
 */
export function compilePatterns(policy: Pick<Policy, 'include' | 'exclude' | 'protect'>): ScopePatterns {
  const compiled = (list: 'include' | 'exclude' | 'protect') =>
    policy[list].map((pattern) => {
      const problem = patternProblem(pattern);
      if (problem === undefined) return matcher(pattern);
      const text = `reconcile.${list}: the pattern ${JSON.stringify(pattern)} ${problem}`;
      throw new ReconcilerFailure('InvalidRequest', 'unusable-pattern', text);
    });
  return { include: compiled('include'), exclude: compiled('exclude'), protect: compiled('protect') };
}

/**
 * Tells which paths a standing keep of this pattern covers. Unlike a policy, of which nothing is judged while it cannot
 * be read, a keep that cannot be read covers everything: it disarms, and never lets go.
 */
export function readPattern(pattern: string): (path: Path) => boolean {
  if (patternProblem(pattern) !== undefined) return () => true;
  const matches = matcher(pattern);
  return (path) => matches(pathText(path));
}

/** What is wrong with a pattern, as the end of a sentence; `undefined` for a usable one. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'is empty';
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  if (pattern !== pattern.trim()) return 'begins or ends with a blank, so that it would match nothing; put it into [ ]';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(pattern))
    return 'holds a control character; in names those are written %0A and so on';
  if (/^\.?\/|\/$|\/\//.test(pattern)) return 'has a slash too many: names are joined by one / and none stands outside';
  if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) return 'ends with a backslash that takes the meaning from nothing';
  try {
    matcher(pattern);
    return undefined;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function matcher(pattern: string): (path: string) => boolean {
  // most patterns are names, and 100,000 registrations are compared with each
  if (!/[*?[\]{}\\]/.test(pattern)) return (path) => path === pattern;
  // not picomatch() itself, which also accepts a text that is spelled like the pattern: [ab] for [ab]
  const expression = picomatch.makeRe(plainDots(literalSigns(pattern)), options);
  return (path) => expression.test(path.includes('.') ? plainDots(path) : path);
}

/**
 * Takes the meaning from signs that carry one in other globs and none in names: `revenue (old)` is just a name. An
 * escaped backslash goes by its number, since several in a row would be taken for fewer.
 */
function literalSigns(pattern: string): string {
  return pattern.replace(/\\[\s\S]|[()|"]/g, (found) => {
    if (found === '\\\\') return '\\x5c';
    return found.length > 1 ? found : `\\${found}`;
  });
}

/** To other users of globs the names . and .. are folders, which no * matches; here they are names like any other. */
function plainDots(text: string): string {
  return text.replace(/(?<=^|\/)\.{1,2}(?=\/|$)/g, (name) => '\u2024'.repeat(name.length));
}

// Special are * ** ? [ ] { } and the backslash; `sales/**` covers `sales` too, as people expect of "everything in there".
const options = {
  dot: true, // a name that begins with a dot is no hidden file
  nonegate: true, // a leading ! would turn "protect this" into "protect all but this"
  noextglob: true,
  nocase: false,
  strictBrackets: true,
  literalBrackets: false, // [ab] is a or b, and not the text [ab] as well
  fastpaths: false, // one reading for all patterns
  debug: true, // an expression that does not compile throws, where it would match nothing otherwise
  windows: false,
} as const;

const longestPattern = 1_000; // 63 bytes is the longest name of PostgreSQL; this is for a path of many
