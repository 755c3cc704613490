// Connecting to an n8n: everything can be corrected, its two secrets are checked, and are kept nowhere else than with the secrets.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { recordedKey, type RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { disconnect, listWorkflows, run } from './commands.ts';
import { choose, runOnRow, take, untilAsked, untilRow, write } from './keyboard.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';
import { filesHolding } from './userData.ts';

const view = 'workflowAutomation.connections';
const widget = '.quick-input-widget';
const kind = 'What do you connect to?';
const address = 'Address at which the editor opens';
const key = 'API key';
const token = 'MCP token';
const name = 'Name of the connection';
const expiry = 'When does this key expire?';
const Connected = v.object({ connectionId: v.string() });
const Replaced = v.object({ connectionId: v.string(), hasMcpToken: v.boolean() });

const says = (text: string): Promise<void> => page.waitFor(`${widget}:has-text(${JSON.stringify(text)})`);
const isStep = (step: string): Promise<void> =>
  page.waitFor(`${widget} .quick-input-title:has-text("Connect to a Service (${step})")`);
const untilOffered = (...wanted: readonly string[]) =>
  until(page.quickPick, (labels) => labels.map((label) => label.trim()).join() === wanted.join());
/** Takes the choice that opens a field for a secret. */
const correctSecret = async (choice: string): Promise<void> => {
  await take(choice);
  await page.waitFor(`${widget} input[type="password"]:focus`);
};

describe('connecting to an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let editor: string;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n, address: editor } = own);
    n8n.addWorkflow({ name: 'Orders', nodes: [], connections: {}, settings: {} });
  });
  after(() => own.stop());

  it('corrects a wrong address, a wrong key and a wrong token, each in its own step', async () => {
    const adding = vscode.commands.executeCommand(commandId('connection.add'));
    await isStep('1/5');
    await page.screenshot('n8n-connect-1-kind');
    await choose(kind, 'n8n');
    await isStep('2/6');
    await page.screenshot('n8n-connect-2-address');
    await write(address, `${editor}/other`);
    await write(key, 'wrong-key');
    await page.screenshot('n8n-connect-4-token');
    await write(token, 'wrong-token');
    await says("This isn't the address of an n8n.");
    await untilOffered('Edit URL', 'Edit Key', 'Try Again');
    await take('Edit URL');
    await write(address, `${editor}/api/v1`);
    await says('The service rejected this API key');
    await untilOffered('Edit Key', 'Edit URL', 'Try Again');
    await correctSecret('Edit Key');
    await write(key, recordedKey);
    await says('The service rejected the MCP token.');
    await untilOffered('Edit MCP Token', 'Try Again');
    await correctSecret('Edit MCP Token');
    await write(token, recordedToken);
    await write(name, 'Mine');
    await choose(expiry, 'Never');
    ({ connectionId } = v.parse(Connected, await adding));
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Mine', ({ description }) => description.endsWith(editor));
    await vscode.commands.executeCommand('workflowAutomation.workflows.focus');
    await untilRow('workflowAutomation.workflows', 'Orders');
    await page.screenshot('n8n-connected');
  });

  describe('with a key that lacks rights', () => {
    const lacking = ['workflow:list', 'execution:stop'];
    let poorId: string | undefined;

    before(() => lacking.forEach((right) => n8n.rights.delete(right)));
    after(async () => {
      lacking.forEach((right) => n8n.rights.add(right));
      await vscode.commands.executeCommand('notifications.clearAll');
      if (poorId !== undefined) await disconnect(poorId);
    });

    it('says which they are, on connecting, in the view and to code', async () => {
      const poor = `${recordedKey}-poor`;
      n8n.keys.add(poor);
      const adding = vscode.commands.executeCommand(commandId('connection.add'));
      await choose(kind, 'n8n');
      await write(address, editor);
      await write(key, poor);
      await write(token, '');
      await write(name, 'Poor');
      await choose(expiry, 'Never');
      poorId = v.parse(Connected, await adding).connectionId;
      await until(
        () => page.notifications(),
        (texts) =>
          texts.includes(
            'The key has no right to list workflows (workflow:list), cancel executions (execution:stop).',
          ),
      );
      await page.screenshot('n8n-rights-missing');
      const sentence = 'The key has no right to list workflows (workflow:list).';
      await vscode.commands.executeCommand('workflowAutomation.workflows.focus');
      await page.waitFor(
        `${viewSelector('workflowAutomation.workflows')} .message:has-text(${JSON.stringify(sentence)})`,
      );
      await page.screenshot('n8n-right-missing-in-view');
      await assert.rejects(
        async () => vscode.commands.executeCommand(commandId('workflow.list'), {}),
        (error) => error instanceof Error && error.message.includes(sentence),
      );
    });
  });

  it('replaces and removes its token on its row and from code', async () => {
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilAsked(token, () => runOnRow(view, 'Mine', 'Replace MCP Token…'));
    await write(token, 'wrong-token');
    await says('The service rejected the MCP token.');
    await correctSecret('Edit MCP Token');
    await write(token, '');
    await page.waitUntilGone(`${widget} input:focus`);
    const report = await run(v.string(), 'connection.diagnose', { connectionId });
    assert.match(report, /^MCP token: none$/m);
    assert.doesNotMatch(report, /Requests left|eyJhb/);
    await assert.rejects(async () =>
      run(Replaced, 'connection.replaceMcpToken', { connectionId, mcpToken: 'x' }),
    );
    const replaced = await run(Replaced, 'connection.replaceMcpToken', {
      connectionId,
      mcpToken: recordedToken,
    });
    assert.deepEqual(replaced, { connectionId, hasMcpToken: true });
    assert.match(await run(v.string(), 'connection.diagnose', { connectionId }), /^MCP token: eyJh…$/m);
    const other = await run(Connected, 'connection.add', {
      kind: 'n8n',
      name: 'By code',
      baseUrl: editor,
      apiKey: recordedKey,
    });
    assert.equal((await listWorkflows())[0]?.name, 'Orders');
    await disconnect(other.connectionId);
  });

  it('has its secrets marked in a document, and takes them out without a question', async () => {
    for (const secret of [recordedKey, recordedToken]) {
      const content = `secret: ${secret}\n`;
      const document = await vscode.workspace.openTextDocument({ language: 'yaml', content });
      await vscode.window.showTextDocument(document);
      const problems = await until(
        () => vscode.languages.getDiagnostics(document.uri),
        (all) => all.length > 0,
      );
      assert.match(problems[0]?.message ?? '', /\(eyJh…\)/);
      const moved: unknown = await vscode.commands.executeCommand(commandId('keyGuard.moveKey'));
      assert.deepEqual(moved, { connectionId });
      await until(
        () => document.getText(),
        (text) => text === 'secret: ${WORKFLOW_API_KEY}\n',
      );
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('leaves neither secret in a file, in a setting or in what other places were sent', async () => {
    // VS Code deletes its backup of a document some time after the document is closed.
    await until(
      () => [recordedKey, recordedToken].flatMap(filesHolding),
      (files) => files.length === 0,
    );
    for (const { url, headers, text } of n8n.requests) {
      const sent = JSON.stringify([url, headers, text]);
      assert.ok(url.startsWith('/api/v1/') || !sent.includes(recordedKey), url);
      assert.ok(url === '/mcp-server/http' || !sent.includes(recordedToken), url);
    }
    await disconnect(connectionId);
  });
});
