import { cpSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './paths.ts';

/** The extension's own tests lie among what is built, and are no part of it. */
const isShipped = (path: string): boolean => !relative(root, path).startsWith(join('dist', 'test') + sep);

/** Copies what is built, as its package holds it, to a folder that is made anew. */
export function copyExtension(target: string): void {
  rmSync(target, { recursive: true, force: true });
  for (const name of [
    ...['package.json', 'package.nls.json', 'package.nls.de.json'],
    ...['README.md', 'LICENSE', 'l10n', 'media', 'dist'],
  ])
    cpSync(join(root, name), join(target, name), { recursive: true, filter: isShipped });
}
