// The texts that the extension says to people, and their translations.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
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

/** The texts of all calls of `l10n.t` in a file. Throws where it's called with anything but a text, since that couldn't be translated. */
function textsOf(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText(source))) {
      const [text] = node.arguments;
      if (text === undefined || !ts.isStringLiteralLike(text))
        throw new Error(`${path}: l10n.t is called without a text: ${node.getText(source)}`);
      texts.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Reads the texts of all calls of `l10n.t` in src, sorted. */
export function collectTexts(): Texts {
  const texts = globSync('src/**/*.ts', { cwd: root }).flatMap((path) => textsOf(join(root, path)));
  return Object.fromEntries([...new Set(texts)].sort().map((text) => [text, text]));
}
