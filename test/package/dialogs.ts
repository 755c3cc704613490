// What cannot be undone is asked in a modal dialog, which an editor that runs tests refuses to show: here one does without.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { view } from '../rig/guideHands.ts';
import { screenshots } from '../rig/paths.ts';

const rowsOf = (page: Page, name: string): Locator => view(page, name).locator('.monaco-list-row');

/** What is asked, whole. Playwright waits for it. */
const dialogOf = (page: Page): Locator => page.locator('.monaco-dialog-box');

async function isPictured(page: Page, name: string): Promise<void> {
  if (process.env['WORKFLOW_TEST_PICTURES'] === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `dialog-${name}.png`) });
}

/** Waits for a dialog with these words and these buttons, the first of which Enter would press. */
async function asks(
  page: Page,
  name: string,
  words: readonly string[],
  buttons: readonly string[],
): Promise<void> {
  const dialog = dialogOf(page);
  for (const each of words) await dialog.filter({ hasText: each }).waitFor();
  const labels = await dialog.locator('.dialog-buttons .monaco-button').allTextContents();
  assert.deepEqual(labels.map((label) => label.trim()).sort(), [...buttons].sort());
  await isPictured(page, name);
}

async function press(page: Page, button: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name: button, exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
}

const patienceMilliseconds = 3_000;

/** Chooses in the context menu of a row. */
async function runOnRow(page: Page, row: Locator, entry: string): Promise<void> {
  const menu = page.locator('.monaco-menu');
  const isGone = (): Promise<boolean> =>
    menu.waitFor({ state: 'detached', timeout: patienceMilliseconds }).then(
      () => true,
      () => false,
    );
  // Away from where its hover would cover the row.
  await page.mouse.move(1000, 5);
  await row.click({ button: 'right' });
  // A menu passes over a click that comes as it opens.
  do await menu.locator('.action-item', { hasText: entry }).first().click();
  while (!(await isGone()));
}

async function runInPalette(page: Page, command: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input:focus').pressSequentially(command);
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: command }).first().click();
}

/** Answers the two steps of a new key. */
async function createKey(page: Page, name: string): Promise<void> {
  await runInPalette(page, 'Workflows: Create API Key');
  const box = page.locator('.quick-input-widget');
  await box.locator('.quick-input-title', { hasText: 'Create API Key (1/2)' }).waitFor();
  await page.keyboard.insertText(name);
  await page.keyboard.press('Enter');
  await box.locator('.quick-input-title', { hasText: 'Create API Key (2/2)' }).waitFor();
  await box.locator('.monaco-list-row.focused', { hasText: 'In 90 days' }).waitFor();
  await page.keyboard.press('Enter');
}

const keyWords = (name: string) => [`API key "${name}" created`, "Copy it now; you can't copy it later."];

function testWorkflowDialogs(page: () => Page): void {
  it('asks before it undeploys and before it deletes; Escape does neither', async () => {
    const sample = rowsOf(page(), 'Workflows').filter({ hasText: 'Order totals' }).first();
    await runOnRow(page(), sample, 'Undeploy Workflow');
    const undeploy = ['Undeploy workflow "Order totals"?', 'Apps that execute it will fail'];
    await asks(page(), 'undeploy', undeploy, ['Undeploy', 'Cancel']);
    await escape(page());
    await runOnRow(page(), sample, 'Delete Workflow');
    const loses = "It's deployed: apps that execute it will fail. Past executions stay available.";
    await asks(page(), 'delete', ['Delete workflow "Order totals"?', loses], ['Delete', 'Cancel']);
    await escape(page());
    await runOnRow(page(), sample, 'Undeploy Workflow');
    await asks(page(), 'undeploy-again', undeploy, ['Undeploy', 'Cancel']);
    await press(page(), 'Undeploy');
    await runOnRow(page(), sample, 'Delete Workflow');
    await asks(page(), 'delete-draft', ['Delete workflow "Order totals"?'], ['Delete', 'Cancel']);
    assert.ok(!(await dialogOf(page()).textContent())?.includes('deployed'));
    await press(page(), 'Delete');
    await sample.waitFor({ state: 'detached' });
  });
}

function testKeyDialogs(page: () => Page): void {
  const keyRow = (name: string) => rowsOf(page(), 'Connections').filter({ hasText: name }).first();

  it('keeps a new key in sight until it was copied or given up, and revokes it at once', async () => {
    await createKey(page(), 'Night shift');
    await asks(page(), 'key-created', keyWords('Night shift'), ['Copy Key', 'Close']);
    // A click elsewhere takes nothing away.
    await page().mouse.click(1000, 800);
    await asks(page(), 'key-created-still', keyWords('Night shift'), ['Copy Key', 'Close']);
    await page().keyboard.press('Escape');
    const again = ['Close without copying API key "Night shift"?'];
    await asks(page(), 'key-not-copied', again, ['Copy Key', 'Revoke Key', 'Close Without Copying']);
    await press(page(), 'Revoke Key');
    await rowsOf(page(), 'Connections').filter({ hasText: 'Local service' }).first().click();
    await keyRow('Night shift').filter({ hasText: 'revoked' }).waitFor();
  });

  it('copies a new key, and asks before it revokes it', async () => {
    await createKey(page(), 'Day shift');
    await asks(page(), 'key-created-second', keyWords('Day shift'), ['Copy Key', 'Close']);
    await page().keyboard.press('Enter');
    await dialogOf(page()).waitFor({ state: 'detached' });
    await page().waitForFunction('navigator.clipboard.readText().then((text) => text.startsWith("svc_sk_"))');
    await runOnRow(page(), keyRow('Day shift'), 'Revoke API Key');
    const loses = ['Revoke API key "Day shift"?', 'It was never used. Apps that use this key stop working'];
    await asks(page(), 'revoke', loses, ['Revoke', 'Cancel']);
    await escape(page());
    await keyRow('Day shift').filter({ hasText: 'never used' }).waitFor();
  });
}

/** Tests in a window in which the local service runs and its sample "Order totals" is deployed and was executed. */
export function testDialogs(page: () => Page): void {
  afterEach(async function () {
    if (this.currentTest?.isFailed() === true) await isPictured(page(), `failed-${this.currentTest.title}`);
  });
  testWorkflowDialogs(page);
  testKeyDialogs(page);

  it('says what a reset of the local service deletes, deletes it, and starts anew with the samples', async () => {
    await runInPalette(page(), 'Workflows: Reset the Local Service');
    const counts = 'Workflows: 2, executions: 1, API keys: 2.';
    const words = ['Reset the local service?', counts, 'local-service', 'The service stops in all windows.'];
    const buttons = ['Delete and Start with Samples', 'Delete Only', 'Cancel'];
    await asks(page(), 'reset', words, buttons);
    await escape(page());
    await runInPalette(page(), 'Workflows: Reset the Local Service');
    await asks(page(), 'reset-again', words, buttons);
    await press(page(), 'Delete and Start with Samples');
    await rowsOf(page(), 'Workflows').filter({ hasText: 'Order totals' }).first().waitFor();
    await runInPalette(page(), 'Workflows: Reset the Local Service');
    await asks(page(), 'reset-done', ['Workflows: 3, executions: 0, API keys: 1.'], buttons);
    await escape(page());
  });

  it('asks before it removes a connection', async () => {
    const local = rowsOf(page(), 'Connections').filter({ hasText: 'Local service' }).first();
    await runOnRow(page(), local, 'Remove Connection');
    const words = ['Remove connection "Local service"?', "The local service's data stays on this machine."];
    await asks(page(), 'remove-connection', words, ['Remove', 'Cancel']);
    await press(page(), 'Remove');
    await local.waitFor({ state: 'detached' });
  });
}
