// A key that was pasted into a text is seen there, and can be moved out of it without ever being shown.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { disconnect, startLocalService } from './commands.ts';
import { replaceText } from './edits.ts';
import { closePrompt, take, write } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { markKeyDespiteWorkspace } from './workspaceGuard.ts';

const prefix = ['svc', 'sk', ''].join('_');
/** Looks like a key and is nobody's; made of parts, so that no other tool takes this file for a leak. */
const someKey = prefix + 'Ab1-'.repeat(5);
const moveCommand = 'workflowAutomation.keyGuard.moveKey';

describe('the key guard', () => {
  const problemsOf = (uri: vscode.Uri) =>
    vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'apiKeyInText');
  const hasProblems = (uri: vscode.Uri, count: number) =>
    until(
      () => problemsOf(uri).length,
      (length) => length === count,
    );
  const show = async (content: string, language: string) => {
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document);
    return document;
  };

  // The app, and with it the guard, is loaded with the first use of anything.
  before(() => startLocalService());
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('marks a key in an untitled document, masked, and takes the mark away with the key', async () => {
    const document = await show(`{"apiKey": "${someKey}"}`, 'json');
    await hasProblems(document.uri, 1);
    const [problem] = problemsOf(document.uri);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Warning);
    assert.ok(!problem.message.includes(someKey));
    assert.ok(problem.message.includes(`${prefix}Ab1-…`));
    await replaceText(document, '{}');
    await hasProblems(document.uri, 0);
  });

  it('leaves large documents alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'key-guard-'));
    try {
      const file = join(folder, 'large.txt');
      writeFileSync(file, `${someKey}\n${'x'.repeat(1024 * 1024)}`);
      const large = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(large, { preview: false });
      const small = await show(someKey, 'plaintext');
      await hasProblems(small.uri, 1);
      assert.equal(problemsOf(large.uri).length, 0);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can be switched off', async () => {
    const { uri } = await show(someKey, 'plaintext');
    await hasProblems(uri, 1);
    const settings = vscode.workspace.getConfiguration('workflowAutomation');
    await settings.update('keyGuard', false, vscode.ConfigurationTarget.Global);
    await hasProblems(uri, 0);
    await settings.update('keyGuard', undefined, vscode.ConfigurationTarget.Global);
    await hasProblems(uri, 1);
  });

  it('cannot be switched off by a workspace', () => markKeyDespiteWorkspace());

  describe('with a key of a service', () => {
    let service: OwnService;
    beforeEach(async () => {
      service = await startOwnService();
    });
    afterEach(() => service.stop());

    it('moves it into a new connection and leaves a placeholder', async function () {
      requirePage(this);
      const document = await show(`const key = "${service.key}";\nuse("${service.key}");\n`, 'javascript');
      await hasProblems(document.uri, 2);
      const [problem] = problemsOf(document.uri);
      assert.ok(problem);
      const findFix = async () =>
        (
          await vscode.commands.executeCommand<vscode.CodeAction[]>(
            'vscode.executeCodeActionProvider',
            document.uri,
            problem.range,
            vscode.CodeActionKind.QuickFix.value,
          )
        ).find(({ command }) => command?.command === moveCommand);
      const fix = await until(findFix, (found) => found !== undefined);
      const argument: unknown = fix?.command?.arguments?.[0];
      assert.ok(argument);
      assert.ok(!JSON.stringify(argument).includes(service.key));
      await page.screenshot('key-guard');
      const moved = vscode.commands.executeCommand<{ connectionId: string }>(moveCommand, argument);
      await take('A New Connection');
      for (const [prompt, text] of [
        ['Base URL including the version', service.baseUrl],
        ['Name of the connection', 'Moved'],
      ] as const) {
        await write(prompt, text);
      }
      await take('90 days');
      const { connectionId } = await moved;
      const place = 'process.env.WORKFLOW_API_KEY';
      await until(
        () => document.getText(),
        (text) => text === `const key = ${place};\nuse(${place});\n`,
      );
      await hasProblems(document.uri, 0);
      await page.screenshot('key-guard-moved');
      // From code the key of a connection that is there can be taken out of a text as well.
      const second = await show(service.key, 'shellscript');
      await vscode.commands.executeCommand(moveCommand, { uri: second.uri.toString(), connectionId });
      await until(
        () => second.getText(),
        (text) => text === '${WORKFLOW_API_KEY}',
      );
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await disconnect(connectionId);
    });

    it('leaves everything as it was on Escape', async function () {
      requirePage(this);
      const text = `key: ${service.key}\n`;
      const document = await show(text, 'yaml');
      const moved = vscode.commands.executeCommand(moveCommand);
      await page.waitFor('.quick-input-widget .monaco-list-row:has-text("A New Connection")');
      await closePrompt();
      assert.equal(await moved, undefined);
      assert.equal(document.getText(), text);
    });

    it('keeps the text when the service does not take the key', async () => {
      const text = `key: ${service.key}\n`;
      const document = await show(text, 'yaml');
      const { connectionId } = await startLocalService();
      await assert.rejects(async () =>
        vscode.commands.executeCommand(moveCommand, { uri: document.uri.toString(), connectionId }),
      );
      assert.equal(document.getText(), text);
    });
  });
});
