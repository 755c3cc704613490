// An error text that somebody adds to the source and nobody meets in a test is to be noticed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const constructor = 'new PlainError(';
const text = /l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

/** What stands between an opening parenthesis, which is left out, and its closing one; parentheses within texts come in pairs. */
function argumentsFrom(source: string): string {
  let depth = 1;
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    if (depth === 0) return source.slice(0, at);
  }
  return source;
}

/** Every text of a PlainError in the source below a folder, as it is written there. */
export function plainErrorTexts(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split(constructor).slice(1))
    .map(argumentsFrom)
    .flatMap((source) => [...source.matchAll(text)].slice(0, 1))
    .map(([, single = '', double = '']) => (single + double).replaceAll(/\\(['"])/g, '$1'));
}

/** True when a person who read this has met the text. */
export function isMet(sourceText: string, read: string): boolean {
  const escaped = sourceText.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/\\\{\d+\\\}/g, '.+');
  return new RegExp(escaped).test(read);
}
