// Whole texts that tests expect, as files that can be read.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'golden');

/** Fails unless the text is that of `test/golden/<name>.txt`. With UPDATE_GOLDEN=1 in the environment the file is written instead. */
export function assertGolden(name: string, text: string): void {
  const file = join(folder, `${name}.txt`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  assert.equal(text, readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
}
