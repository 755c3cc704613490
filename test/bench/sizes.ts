// Every byte that is evaluated at activation is paid for by every window that opens.
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../rig/paths.ts';
import type { Benchmark } from './benchmark.ts';

const staticImport = /(?:from|import)\s*"(\.[^"]+)"/g;
const laterImport = /(?:import|require)\("(\.[^"]+)"\)/g;

/** The files beside a bundle that it names in the given way. */
const imported = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, path = '']) => join(dirname(file), path));

/** The file and everything that is evaluated together with it. */
function evaluatedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const other of imported(file, staticImport)) evaluatedWith(other, seen);
  return seen;
}

const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(file).size, 0) / 1000;

export const sizes: Benchmark = {
  name: 'Minified size',
  measure() {
    const activated = evaluatedWith(join(root, manifest.main));
    const later = new Set([...activated].flatMap((file) => imported(file, laterImport)));
    for (const file of later) for (const next of imported(file, laterImport)) later.add(next);
    return Promise.resolve([
      { name: 'evaluated at activation', values: [kilobytes(activated)], unit: 'kB', aim: 'at most 118' },
      ...[...later].map((file) => ({
        name: `${basename(relative(root, file))}, on first use`,
        values: [kilobytes([...evaluatedWith(file)].filter((other) => !activated.has(other)))],
        unit: 'kB' as const,
      })),
      { name: 'the local service', values: [kilobytes([join(root, 'dist', 'serviceMain.js')])], unit: 'kB' },
      { name: 'its sandbox', values: [kilobytes([join(root, 'dist', 'sandbox.js')])], unit: 'kB' },
      { name: 'the page of the graph', values: [kilobytes([join(root, 'dist', 'graph.js')])], unit: 'kB' },
    ]);
  },
};
