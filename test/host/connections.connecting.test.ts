// Connecting is one flow, in which everything can be corrected and nothing typed is lost.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { closedPort } from '../support/servers.ts';
import { disconnect } from './commands.ts';
import { choose, confirm, escape, leaveEmpty, readChoices, typeOver, untilRow, write } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.connections';
const widget = '.quick-input-widget';
const kind = 'What do you connect to?';
const url = 'Base URL including the version';
const key = 'API key';
const name = 'Name of the connection';
const expiry = 'When does this key expire?';

const isStep = (step: string): Promise<void> =>
  page.waitFor(`${widget} .quick-input-title:has-text("Connect to a Service (${step})")`);
const goBack = (): Promise<void> => page.click(`${widget} .quick-input-left-action-bar .action-label`);
/** Waits until these are the choices, without the room for their icons, and keys reach them. */
const untilOffered = async (...wanted: readonly string[]): Promise<void> => {
  await until(
    async () => (await page.quickPick()).map((label) => label.trim()).join(),
    (labels) => labels === wanted.join(),
  );
  await page.waitFor(`${widget} input:focus`);
};

describe('connecting to a service', () => {
  let service: OwnService;
  let adding: Thenable<{ readonly connectionId: string } | undefined>;

  const begin = async () => {
    adding = vscode.commands.executeCommand(commandId('connection.add'));
    await isStep('1/5');
    await choose(kind, 'Workflow Service');
    await isStep('2/5');
  };
  const endsWith = async (label: string) => {
    const added = await adding;
    assert.ok(added);
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, label, ({ description }) => description.includes(service.baseUrl));
    await disconnect(added.connectionId);
  };

  before(async function () {
    requirePage(this);
    service = await startOwnService();
  });
  after(() => service.stop());

  it('corrects a wrong address with Enter on Edit URL and one more Enter; the key is asked for once', async () => {
    await begin();
    await page.screenshot('connect-1-url');
    await write(url, `http://127.0.0.1:${await closedPort()}/v1`);
    await isStep('3/5');
    await page.waitFor(`${widget} input[type="password"]:focus`);
    await page.screenshot('connect-2-key');
    await write(key, service.key);
    await page.waitFor(`${widget}:has-text("Couldn't verify the key: connection refused.")`);
    await untilOffered('Edit URL', 'Edit Key', 'Try Again', 'Save Anyway');
    await page.screenshot('connect-check-failed');
    await page.press('Enter');
    await isStep('2/5');
    await typeOver(url, service.baseUrl);
    await page.press('Enter');
    await isStep('4/5');
    await page.screenshot('connect-3-name');
    await write(name, 'Corrected');
    await isStep('5/5');
    assert.deepEqual(await readChoices(expiry), ['In 90 days', 'In 30 days', 'In 1 year', 'Never']);
    await page.screenshot('connect-4-expiry');
    await page.press('Enter');
    await endsWith('Corrected');
  });

  it('lets a key that the service rejects be corrected', async () => {
    await begin();
    await write(url, service.baseUrl);
    await write(key, `${service.key}x`);
    await page.waitFor(`${widget}:has-text("The service rejected this API key")`);
    await untilOffered('Edit Key', 'Edit URL', 'Try Again');
    await page.press('Enter');
    // The choices speak of an API key too.
    await page.waitFor(`${widget} input[type="password"]:focus`);
    await write(key, service.key);
    await write(name, 'Right key');
    await choose(expiry, 'In 90 days');
    await endsWith('Right key');
  });

  it('goes back over what was typed, which is all there, the key too', async () => {
    await begin();
    await write(url, service.baseUrl);
    await write(key, service.key);
    await typeOver(name, 'There and back');
    await goBack();
    await isStep('3/5');
    await goBack();
    await isStep('2/5');
    await confirm(url);
    await confirm(key);
    await confirm(name);
    await choose(expiry, 'In 90 days');
    await endsWith('There and back');
  });

  it('saves nothing on Escape; the next time what was typed is there, but not the key', async () => {
    await begin();
    await write(url, service.baseUrl);
    await write(key, service.key);
    await write(name, 'Escaped');
    await escape(expiry);
    assert.equal(await adding, undefined);
    await begin();
    await confirm(url);
    await isStep('3/5');
    // Without a key this stays where it is.
    await leaveEmpty(key);
    await page.waitFor(`${widget}:has-text("API keys start with")`);
    await isStep('3/5');
    await write(key, service.key);
    await confirm(name);
    await choose(expiry, 'In 90 days');
    await endsWith('Escaped');
  });
});
