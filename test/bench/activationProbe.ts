// Runs inside the extension host, where alone the time that an extension takes to activate can be seen.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { page } from '../host/page.ts';
import { type Peer, Peers, type StartTimes, type Time } from './startTimes.ts';

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

const now = (): number => performance.timeOrigin + performance.now();

/** Milliseconds of processor time that the host has had. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What `work` takes until the moment that it returns, in ms since 1970. */
async function measure(work: () => Promise<number>): Promise<Time> {
  await hostIsQuiet();
  const started = now();
  const used = processorTime();
  const elapsed = (await work()) - started;
  return { elapsed, processor: processorTime() - used };
}

async function activate({ id }: Peer): Promise<number> {
  const extension = vscode.extensions.getExtension(id);
  assert.ok(extension, `${id} is not there`);
  assert.equal(extension.isActive, false, `${id} was active already`);
  await extension.activate();
  return now();
}

async function showFirstView({ container, id }: NonNullable<Peer['view']>): Promise<number> {
  const shown = page.firstShown(id, 'Loading');
  await vscode.commands.executeCommand(`workbench.view.extension.${container}`);
  return shown;
}

/** Activates the extensions in the wanted order, then shows the first view of each, and writes what each took. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const peers = v.parse(Peers, JSON.parse(process.env['WORKFLOW_BENCH_PEERS'] ?? ''));
  const times: StartTimes = {};
  for (const peer of peers) times[peer.id] = { activation: await measure(() => activate(peer)) };
  for (const { id, view } of peers) {
    if (view !== undefined)
      Object.assign(times[id] ?? {}, { firstView: await measure(() => showFirstView(view)) });
  }
  writeFileSync(path, JSON.stringify(times));
}
