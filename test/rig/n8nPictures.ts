// The pictures of the README that show an n8n, taken of the recorded one.
import { RecordedN8n, recordedKey } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import type { Camera } from './camera.ts';
import { clickUntil, closeEditors, executionRow, row, runCommand, stepAside, view } from './guideHands.ts';

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

/** Connecting to it, and an execution with its output beside the definition. */
export async function ownN8n(camera: Camera): Promise<void> {
  const { page } = camera;
  // A minute ago, and each thing that happens takes a while.
  let now = Date.now() - 60_000;
  const { n8n, running } = await RecordedN8n.serve(() => (now += 65));
  fill(n8n);
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
  } finally {
    await running.close();
  }
}
