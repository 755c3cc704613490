// The pictures of the README that show an n8n, taken of the recorded one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { RecordedN8n, recordedKey } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import type { Camera } from './camera.ts';
import {
  appears,
  clickUntil,
  closeEditors,
  executionRow,
  row,
  runCommand,
  stepAside,
  view,
} from './guideHands.ts';
import { root } from './paths.ts';

const nodes = [
  {
    id: 'n1',
    name: 'New order',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    webhookId: 'orders',
    parameters: { path: 'orders', httpMethod: 'POST' },
  },
  {
    id: 'n2',
    name: 'Check stock',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [220, 0],
    parameters: { url: 'https://stock.example.com/items' },
  },
  {
    id: 'n3',
    name: 'Confirm',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [440, 0],
    parameters: {},
  },
];
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const connections = { 'New order': to('Check stock'), 'Check stock': to('Confirm') };
const settings = { saveExecutionProgress: true };

/** One that was executed a while ago, and one that isn't deployed. */
function fill(n8n: RecordedN8n): void {
  n8n.addWorkflow({ name: 'Weekly report', nodes, connections, settings });
  const orders = n8n.addWorkflow({ name: 'Orders', nodes, connections, settings });
  n8n.activate(orders);
  orders.lag = 0;
  const { id, startedAt } = n8n.start(orders.id);
  const began = Date.parse(startedAt);
  const item = { item: 'Notebook', quantity: 3 };
  const webhook = { json: { headers: {}, query: {}, params: {}, body: { input: item } } };
  n8n.ran(id, 'New order', turnOf(began, 0, [webhook.json]));
  n8n.ran(id, 'Check stock', turnOf(began + 20, 1, [{ inStock: 12 }], { previousNode: 'New order' }));
  const confirmed = { ...item, confirmed: true };
  n8n.ran(id, 'Confirm', turnOf(began + 35, 2, [confirmed], { previousNode: 'Check stock' }));
  n8n.end(id, 'success');
}

const object = v.custom<JsonObject>(isJsonObject);
const Turn = v.looseObject({ startTime: v.number(), executionIndex: v.number() });
const Record = v.object({
  status: v.string(),
  data: v.object({
    resultData: v.object({ runData: v.record(v.string(), v.array(Turn)), error: v.optional(object) }),
  }),
  workflowData: v.object({ nodes: v.array(object), connections: object, settings: object }),
});

/** Executes what a real n8n has executed. */
function replay(n8n: RecordedN8n, name: string, title: string): void {
  const text = readFileSync(join(root, 'test', 'n8n', 'executions', `${name}.json`), 'utf8');
  const { status, data, workflowData } = v.parse(Record, JSON.parse(text));
  const { runData, error } = data.resultData;
  const workflow = n8n.addWorkflow({ ...workflowData, name: title });
  n8n.activate(workflow);
  const { id, startedAt } = n8n.start(workflow.id);
  const turns = Object.entries(runData).flatMap(([node, all]) => all.map((turn) => ({ node, turn })));
  turns.sort((one, other) => one.turn.executionIndex - other.turn.executionIndex);
  const later = Date.parse(startedAt) - Math.min(...turns.map(({ turn }) => turn.startTime));
  for (const { node, turn } of turns)
    n8n.ran(id, node, v.parse(object, { ...turn, startTime: turn.startTime + later }));
  n8n.end(id, status, error);
}

/** Opens the document of a node run from the row of its execution. */
async function openRun(page: Page, workflow: string, node: string, shown: string): Promise<void> {
  await closeEditors(page);
  const rows = view(page, 'Executions').locator('.monaco-list-row');
  await rows.filter({ hasText: workflow }).first().locator('.monaco-tl-twistie').click();
  const run = rows.filter({ hasText: node }).first();
  await run.waitFor();
  const text = page.locator('.editor-container .view-line:visible', { hasText: shown }).first();
  do await run.dblclick();
  while (!(await appears(text)));
  await stepAside(page);
}

async function fold(page: Page, workflow: string): Promise<void> {
  const row = view(page, 'Executions').locator('.monaco-list-row', { hasText: workflow }).first();
  await row.locator('.monaco-tl-twistie').click();
}

/** What real executions look like: a failed call, and branches. */
async function records(camera: Camera): Promise<void> {
  const { page } = camera;
  await openRun(page, 'Signups', 'Check address', 'HTTP 422');
  await camera.take('pictures', 'n8n-failure');
  await fold(page, 'Signups');
  await openRun(page, 'Sorting', 'Is a', '"true"');
  await camera.take('pictures', 'n8n-branches');
}

/** Connecting to it, and an execution with its output beside the definition. */
export async function ownN8n(camera: Camera): Promise<void> {
  const { page } = camera;
  // A minute ago, and each thing that happens takes a while.
  let now = Date.now() - 60_000;
  const { n8n, running } = await RecordedN8n.serve(() => (now += 65));
  fill(n8n);
  replay(n8n, 'http-422-failed', 'Signups');
  replay(n8n, 'if-and-merge', 'Sorting');
  replay(n8n, 'binary-file', 'Charts');
  try {
    await closeEditors(page);
    await runCommand(page, 'Workflows: Connect to a Service');
    const box = page.locator('.quick-input-widget input:focus');
    const asks = (text: string) =>
      page.locator('.quick-input-widget .quick-input-message', { hasText: text }).waitFor();
    const kind = page.locator('.quick-input-widget .monaco-list-row', { hasText: 'n8n' });
    await kind.waitFor();
    await page.keyboard.press('ArrowDown');
    await stepAside(page);
    await camera.take('pictures', 'n8n-connect', { x: 260, y: 0, width: 760, height: 220 });
    await kind.click();
    await asks('Address at which the editor opens');
    await box.fill(`http://127.0.0.1:${running.port}`);
    await page.keyboard.press('Enter');
    await asks('API key');
    await box.fill(recordedKey);
    await page.keyboard.press('Enter');
    await asks('MCP token');
    await box.fill(recordedToken);
    await page.keyboard.press('Enter');
    await asks('Name of the connection');
    await box.fill('My n8n');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Never' }).click();
    await row(page, 'Orders').waitFor();
    await row(page, 'Orders').locator('.monaco-tl-twistie').click();
    const completed = executionRow(page, 'completed');
    await completed.locator('.monaco-tl-twistie').click();
    await view(page, 'Workflows').locator('.monaco-list-row', { hasText: 'Confirm' }).waitFor();
    await completed.hover();
    await clickUntil(
      completed.getByRole('button', { name: 'Output' }),
      page.locator('.editor-container .view-line', { hasText: 'confirmed' }),
    );
    await stepAside(page);
    await camera.take('pictures', 'n8n');
    await records(camera);
  } finally {
    await running.close();
  }
}
