// Prints docs/configuration.md from the declared settings: `tsx scripts/print-configuration.ts > docs/configuration.md`.
import { pathToFileURL } from 'node:url';
import { keyText, type Section, variableOf } from '../src/config/setting.ts';
import { listSettings } from '../src/config/setting-list.ts';
import { settings } from '../src/config/settings.ts';

export function configurationPage(): string {
  return `${intro.trim()}\n\n${chapters(settings, [], false).join('\n\n')}\n`;
}

const intro = `
# Configuration

<!-- Printed by scripts/print-configuration.ts from src/config. Change it there. -->

One YAML file, named by \`--config FILE\` or \`RECONCILER_CONFIG\`, and environment variables, which count before the file.
Without a file the defaults below hold. \`catalog-reconciler.example.yaml\` is a commented one to start from; its first
line names [configuration.schema.json](configuration.schema.json), by which editors complete and check the keys.

- A key that does not exist, a value that is not accepted and a variable that nobody reads are refused, all at once, with
  line and mend. Nothing starts on half a configuration.
- A variable holds what the file would hold: \`3600\`, \`true\`, \`["tmp/**", "scratch/**"]\`. One that is empty counts as not set.
- Secrets are never written into the file: \`{env: NAME}\` and \`{file: PATH}\` say where one is kept. A variable for a secret
  holds the secret itself.
- Relative paths begin at the folder in which the command runs.
- Settings of catalogs have no variables. \`<metalake>\` and \`<catalog>\` stand for your names: any text without control
  characters, at most 120 characters.

**Which value counts** for a catalog: its own, else the one at the top, else the default. Three lists and maps differ:
\`protect\` adds up over all levels, \`include\` and \`exclude\` of a catalog replace those at the top, and a catalog that sets
\`policy\` starts without the \`policyByKind\` at the top. \`intervalSecs\` and \`cron\` belong together: the nearest level that
says when, says so alone.

**Name patterns** are compared with the full name inside the catalog, \`schema\` or \`schema/table\`, letter case included.
\`*\` stands for any text without a slash, \`**\` for any text, \`?\` for one character, \`[a-f]\` for one of a few, \`{a,b}\` for
either, and a backslash takes the meaning from the next sign. \`sales/**\` covers the schema \`sales\` as well, \`sales\` only the
schema. A slash, a percent sign or a control character inside a name is written \`%2F\`, \`%25\`, \`%0A\`. A pattern that cannot
be read is refused: one that silently matched nothing would unprotect what it names.
`;

function chapters(section: Section, key: readonly string[], byName: boolean): string[] {
  const here = own(section, key, byName);
  const table = here.length === 0 ? [] : [[...heading(section, key), ...here].join('\n')];
  const inner = Object.entries(section.keys).flatMap(([name, part]) => {
    if (part.kind === 'setting') return [];
    if (part.kind === 'section') {
      // written once: below a catalog the same keys hold
      return byName && part === settings.keys.reconcile ? [] : chapters(part, [...key, name], byName);
    }
    return chapters(part.each, [...key, name, `<${part.of}>`], true);
  });
  return [...table, ...inner];
}

function heading(section: Section, key: readonly string[]): string[] {
  return [
    key.length === 0 ? '## At the top' : `## \`${keyText(key)}\``,
    '',
    ...(section.about === '' ? [] : [section.about, '']),
  ];
}

function own(section: Section, key: readonly string[], byName: boolean): string[] {
  const rows = listSettings({ ...section, keys: direct(section) }, key, byName).map(({ key: full, setting }) => {
    const fallback =
      setting.fallbackText ?? (setting.fallback === undefined ? '' : `\`${JSON.stringify(setting.fallback)}\``);
    const cells = [`\`${full.at(-1)}\``, setting.about, setting.expects, fallback];
    return row(byName ? cells : [...cells, `\`${variableOf(full, setting)}\``]);
  });
  if (rows.length === 0) return [];
  const titles = ['Key', 'What for', 'Write', 'Default', ...(byName ? [] : ['Variable'])];
  return [row(titles), row(titles.map(() => '---')), ...rows];
}

function direct(section: Section): Section['keys'] {
  return Object.fromEntries(Object.entries(section.keys).filter(([, part]) => part.kind === 'setting'));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(configurationPage());
