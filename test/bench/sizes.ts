// Why: every byte that is evaluated at activation is paid for by every window that opens.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../vscode/paths.ts';
import type { Benchmark } from './benchmark.ts';

const kilobytes = (file: string): number => statSync(join(root, 'dist', file)).size / 1000;

/** The chunks that a bundle loads on first use. */
const chunksOf = (file: string): string[] =>
  [...readFileSync(join(root, 'dist', file), 'utf8').matchAll(/"\.\/(\w+\.cjs)"/g)].map(
    ([, name = '']) => name,
  );

export const sizes: Benchmark = {
  name: 'Minified size',
  measure() {
    const activated = 'extension.cjs';
    const later = new Set(chunksOf(activated).flatMap((chunk) => [chunk, ...chunksOf(chunk)]));
    return Promise.resolve([
      { name: 'evaluated at activation', values: [kilobytes(activated)], unit: 'kB', aim: 'at most 118' },
      ...[...later].map((chunk) => ({
        name: `${chunk}, on first use`,
        values: [kilobytes(chunk)],
        unit: 'kB' as const,
      })),
      { name: 'the local service', values: [kilobytes('service.js')], unit: 'kB' },
    ]);
  },
};
