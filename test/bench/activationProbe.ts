// Runs inside the extension host, where alone the time that an extension takes to activate can be seen.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';

const tick = 10;
const allowedDelay = 3;

/** Resolves when the host has nothing else to do: 30 timers in a row were on time. Gives up waiting after 20 s. */
async function hostIsQuiet(): Promise<void> {
  const end = performance.now() + 20_000;
  let onTime = 0;
  while (onTime < 30 && performance.now() < end) {
    const started = performance.now();
    await new Promise((resolve) => setTimeout(resolve, tick));
    onTime = performance.now() - started < tick + allowedDelay ? onTime + 1 : 0;
  }
}

/** Activates the extensions in the wanted order and writes the milliseconds that each took. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const times: Record<string, number> = {};
  for (const id of (process.env['WORKFLOW_BENCH_ORDER'] ?? '').split(',')) {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not there`);
    assert.equal(extension.isActive, false, `${id} was active already`);
    await hostIsQuiet();
    const started = performance.now();
    await extension.activate();
    times[id] = performance.now() - started;
  }
  writeFileSync(path, JSON.stringify(times));
}
