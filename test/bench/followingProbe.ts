// Runs inside the extension host and looks at the screen: how late a log line is seen, how soon an execution begins.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { execute, run as runCommand, startLocalService } from '../host/commands.ts';
import { page } from '../host/page.ts';

const turns = 30;
const executions = 8;

/** Says a line, takes a breath, as often as there are items. */
const definition = {
  name: 'Bench',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each', type: 'forEach', config: { items: 'input.items' } },
    { id: 'say', name: 'Say', type: 'log', config: { message: 'mark-{{ item }}-' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 120 } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'say', branch: 'each' },
    { source: 'say', target: 'rest' },
  ],
};

const Workflow = v.object({ workflowId: v.string() });
const Key = v.object({ key: v.string() });
const Logs = v.object({ data: v.array(v.object({ timestamp: v.string() })) });

/** Milliseconds between the time in each line and the moment when it was first found on the screen. */
async function lineLatencies(workflowId: string): Promise<number[]> {
  const seen = new Map<string, number>();
  await execute(workflowId, { items: Array.from({ length: turns }, (_, index) => index) });
  const end = Date.now() + 60_000;
  while (!seen.has(String(turns - 1)) && Date.now() < end) {
    for (const text of await page.texts('.part.panel .view-line')) {
      const found = /^(\d{4}-\d\d-\d\d)\s(\d\d:\d\d:\d\d\.\d{3}).*mark-(\d+)-/.exec(
        text.replaceAll('\u00a0', ' '),
      );
      const [, date, time, mark] = found ?? [];
      if (mark === undefined || seen.has(mark)) continue;
      seen.set(mark, Date.now() - new Date(`${date ?? ''}T${time ?? ''}`).getTime());
    }
  }
  return [...seen.values()];
}

/** Milliseconds from sending the execute call to the start of the first node run; both on this machine's clock. */
async function startLatency(workflowId: string, baseUrl: string, key: string): Promise<number> {
  const sent = Date.now();
  const { executionId } = await execute(workflowId, { items: [] });
  assert.ok(executionId);
  const response = await fetch(`${baseUrl}/executions/${executionId}/logs`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const [first] = v.parse(Logs, await response.json()).data;
  assert.ok(first, 'the first node run had not begun when the logs were read');
  return Date.parse(first.timestamp) - sent;
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const { baseUrl } = await startLocalService();
  const { key } = await runCommand(Key, 'apiKey.create', { name: 'Bench', expiration: '30d' });
  const { workflowId } = await runCommand(Workflow, 'workflow.import', { definition });
  await runCommand(v.unknown(), 'workflow.deploy', { workflowId });
  const starts: number[] = [];
  for (let count = 0; count < executions; count++) starts.push(await startLatency(workflowId, baseUrl, key));
  const lines = await lineLatencies(workflowId);
  writeFileSync(path, JSON.stringify({ starts, lines }));
}
