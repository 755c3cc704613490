// Runs inside the extension host and looks at the screen: how soon the first rows of a service stand there, whether it has ten of a thing or ten thousand.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run as runCommand } from '../host/commands.ts';
import { type OwnService, postTo, startOwnService } from '../host/ownService.ts';
import { page } from '../host/page.ts';

const sizes = { few: 10, many: 10_000 } as const;
type Size = keyof typeof sizes;
const rounds = 12;
const atOnce = 8;
const views = ['workflowAutomation.workflows', 'workflowAutomation.executions'] as const;

const Created = v.object({ id: v.string() });
const Connection = v.object({ connectionId: v.string() });

const nodes = [{ id: 'start', name: 'Start', type: 'trigger', config: {} }];

/** The rows on top, by which the service is told from the other. */
const topRow = (size: Size): string => `Of ${size}`;

async function repeat(times: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Starts a service with so many workflows and executions; the newest of both bears the name. */
async function fill(size: Size): Promise<OwnService> {
  const service = await startOwnService('--requests-per-minute', '1000000');
  const create = (name: string) => postTo(service, Created, '/workflows', { name, nodes, edges: [] });
  await repeat(sizes[size] - 1, (number) => create(`Job ${number}`));
  const { id } = await create(topRow(size));
  await postTo(service, v.unknown(), `/workflows/${id}/deploy`, {});
  await repeat(sizes[size], () => postTo(service, v.unknown(), `/workflows/${id}/execute`, { input: {} }));
  return service;
}

/** The editor draws a tree at most every 200 ms; a switch right after the last rows would measure that pause. */
const lookMs = 500;

/** Milliseconds from a switch to a connection until each view shows its first row. */
async function showFirstRows(connectionId: string, size: Size): Promise<readonly number[]> {
  const times = new Map<string, number>();
  const started = performance.now();
  const switching = runCommand(v.unknown(), 'connection.switch', { connectionId });
  while (times.size < views.length && performance.now() - started < 60_000) {
    for (const view of views) {
      const [first] = await page.rows(view);
      if (first?.label === topRow(size) && !times.has(view)) times.set(view, performance.now() - started);
    }
  }
  await switching;
  return views.map((view) => times.get(view) ?? assert.fail(`${view} never showed its rows.`));
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  await vscode.commands.executeCommand(`${views[0]}.focus`);
  const services: OwnService[] = [];
  const connections: { readonly size: Size; readonly connectionId: string }[] = [];
  for (const size of ['few', 'many'] as const) {
    const service = await fill(size);
    services.push(service);
    const argument = { name: topRow(size), baseUrl: service.baseUrl, apiKey: service.key };
    connections.push({ size, ...(await runCommand(Connection, 'connection.add', argument)) });
  }
  const results: Record<Size, (readonly number[])[]> = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const { size, connectionId } of connections) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      results[size].push(await showFirstRows(connectionId, size));
    }
  }
  writeFileSync(path, JSON.stringify(results));
  for (const service of services) await service.stop();
}
