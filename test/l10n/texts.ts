// The texts that the extension says to people, and their translations.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import * as v from 'valibot';
import { parseJson } from '../../src/base/json.ts';
import { root } from '../rig/paths.ts';

/** Each text by its key; a translation has the same keys. */
export type Texts = Readonly<Record<string, string>>;

/** The bundle of the texts in the sources. */
export const bundlePath = join(root, 'l10n', 'bundle.l10n.json');

/** The files with texts, each with its translation. */
export const translations = [
  { name: 'the sources in German', path: bundlePath, translated: join(root, 'l10n', 'bundle.l10n.de.json') },
  {
    name: 'package.json in German',
    path: join(root, 'package.nls.json'),
    translated: join(root, 'package.nls.de.json'),
  },
] as const;

const TextsSchema = v.record(v.string(), v.string());

export function readTexts(path: string): Texts {
  return v.parse(TextsSchema, parseJson(readFileSync(path, 'utf8')));
}

/** Reads the texts of all calls of `l10n.t` in src, sorted. Throws where a text has a comment, which no bundle here holds. */
export async function collectTexts(): Promise<Texts> {
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const found = await getL10nJson(
    files.filter((contents) => contents.includes('l10n')).map((contents) => ({ contents, extension: '.ts' })),
  );
  const texts = v.parse(TextsSchema, found);
  return Object.fromEntries(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
}
