// Prints docs/configuration.schema.json, for editors, from the declared settings:
// `tsx scripts/print-configuration-schema.ts > docs/configuration.schema.json`.
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Named, Section, Setting } from '../src/config/setting.ts';
import { settings } from '../src/config/settings.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12 of the configuration file. Looser than the file is read: rules between keys are not in it. */
export function configurationSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of catalog-reconciler',
    description: 'Printed by scripts/print-configuration-schema.ts from src/config. Change it there.',
    ...schemaOf(settings),
  };
}

function schemaOf(part: Setting | Section | Named): Schema {
  switch (part.kind) {
    case 'setting': {
      const { $schema: _, ...shape } = z.toJSONSchema(part.shape, { io: 'input' });
      const fallback = part.fallback === undefined ? {} : { default: part.fallback };
      return { description: `${part.about}\n\nWrite ${part.expects}.`, ...shape, ...fallback };
    }
    case 'section': {
      const properties = Object.fromEntries(Object.entries(part.keys).map(([name, key]) => [name, schemaOf(key)]));
      return { ...described(part), type: mapping, properties, additionalProperties: false };
    }
    case 'named':
      return { ...described(part), type: mapping, additionalProperties: schemaOf(part.each) };
  }
}

/** A key whose contents are all commented out is read as if it were not there. */
const mapping = ['object', 'null'];

function described({ about }: Section | Named): Schema {
  return about === '' ? {} : { description: about };
}

export function configurationSchemaText(): string {
  return `${JSON.stringify(configurationSchema(), null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(configurationSchemaText());
