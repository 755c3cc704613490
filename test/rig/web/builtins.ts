// Most of what comes with VS Code has nothing to do with us, and reading it is a third of the time in which a VS Code for tests starts.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';

/** JSON, logs and Markdown as our documents are shown, and what a window looks like. */
const needed = ['diff', 'json', 'log', 'markdown-basics', 'theme-defaults', 'theme-seti'];

/** Where one is missing that could also run in the browser, the browser looks for it in vain, and says so. */
function runsInBrowser(folder: string): boolean {
  const path = join(folder, 'package.json');
  const manifest = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  return isJsonObject(manifest) && manifest['browser'] !== undefined;
}

/** Makes a folder with the built-in extensions that tests need; returns its path. server: the entry point, from installWeb(). */
export function linkBuiltins(server: string, folder: string): string {
  const all = join(dirname(dirname(server)), 'extensions');
  const target = join(folder, 'builtins');
  mkdirSync(target, { recursive: true });
  const isLinked = (name: string): boolean => needed.includes(name) || runsInBrowser(join(all, name));
  for (const name of readdirSync(all).filter(isLinked)) symlinkSync(join(all, name), join(target, name));
  return target;
}
