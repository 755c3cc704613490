// Why: most of what comes with VS Code has nothing to do with us, and reading it is a third of the time in which a VS Code for tests starts.
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** JSON, logs and Markdown as our documents are shown, and what a window looks like. */
const needed = [
  'configuration-editing',
  'diff',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'merge-conflict',
  'references-view',
  'search-result',
  'theme-defaults',
  'theme-seti',
];

/** Makes a folder with the built-in extensions that tests need; returns its path. server: the entry point, from installWeb(). */
export function linkBuiltins(server: string, folder: string): string {
  const all = join(dirname(dirname(server)), 'extensions');
  const target = join(folder, 'builtins');
  mkdirSync(target, { recursive: true });
  for (const name of needed) symlinkSync(join(all, name), join(target, name));
  return target;
}
