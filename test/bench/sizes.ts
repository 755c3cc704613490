// Why: every byte that is evaluated at activation is paid for by every window that opens.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../vscode/paths.ts';
import type { Benchmark } from './benchmark.ts';

const extension = join(root, 'dist', 'extension.cjs');

const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(file).size, 0) / 1000;

/** The files that a module imports, and those that it loads later with import(). */
function importsOf(file: string): { readonly now: string[]; readonly later: string[] } {
  const text = readFileSync(file, 'utf8');
  const paths = (expression: RegExp): string[] =>
    [...text.matchAll(expression)].map(([, path = '']) => join(dirname(file), path));
  return {
    now: paths(/(?:from|import)"(\.{1,2}\/[\w./-]+\.js)"/g),
    later: paths(/import\("(\.{1,2}\/[\w./-]+\.js)"\)/g),
  };
}

/** A module with all that is evaluated before it. */
function evaluatedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const path of importsOf(file).now) evaluatedWith(path, known);
  return known;
}

export const sizes: Benchmark = {
  name: 'Minified size',
  measure() {
    const atActivation = evaluatedWith(extension);
    const atFirstUse = new Set(
      [...atActivation]
        .flatMap((file) => importsOf(file).later)
        .flatMap((file) => [...evaluatedWith(file)])
        .filter((file) => !atActivation.has(file)),
    );
    const http = [...atFirstUse].flatMap((file) => importsOf(file).later);
    const atFirstRequest = new Set(
      http
        .flatMap((file) => [...evaluatedWith(file)])
        .filter((file) => !atActivation.has(file) && !atFirstUse.has(file)),
    );
    return Promise.resolve([
      { name: 'evaluated at activation', values: [kilobytes(atActivation)], unit: 'kB', aim: 'at most 118' },
      { name: 'evaluated when a view is first shown', values: [kilobytes(atFirstUse)], unit: 'kB' },
      {
        name: 'evaluated with the first request (client, undici)',
        values: [kilobytes(atFirstRequest)],
        unit: 'kB',
      },
      { name: 'the local service', values: [kilobytes([join(root, 'dist', 'service.js')])], unit: 'kB' },
    ]);
  },
};
