// A log that is longer than its window: its end is shown, and every other line is a click or a search away, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { disconnect, run } from './commands.ts';
import { take } from './keyboard.ts';
import { startLongLogService } from './longLogService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { MemoryFiles } from './virtualFiles.ts';

const target = { executionId: 'lines_23000' };
const Saved = v.object({ lineCount: v.number() });
const Matches = v.array(v.object({ line: v.number(), text: v.string() }));

describe('a log that is longer than its window', () => {
  let connectionId: string;
  let stop: () => void;
  let document: vscode.TextDocument;

  before(async () => {
    ({ connectionId, stop } = await startLongLogService());
    const uri = await run(v.string(), 'execution.openLog', target);
    document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await textWith((text) => text.endsWith('[info] completed\n'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    stop();
  });

  const lineInFront = (): string => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.lineAt(editor.selection.active.line).text ?? '';
  };
  const textWith = (isWanted: (text: string) => boolean) => until(() => document.getText(), isWanted);

  it('shows its end, with lenses to the rest', async function () {
    assert.ok(document.getText().startsWith('... 20,000 earlier log lines\n'));
    assert.equal(document.lineCount, 3003);
    requirePage(this);
    await vscode.commands.executeCommand('cursorTop');
    await page.waitFor('.codelens-decoration:has-text("Log lines 20,001–23,000 of 23,000")');
    await page.screenshot('long-log-end');
  });

  it('is opened at its end, and stays where it is when it is opened again', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const open = () =>
      vscode.commands.executeCommand(commandId('execution.openLog'), {
        ...target,
        connectionId,
        invokedBy: 'person',
      });
    const place = () => vscode.window.activeTextEditor?.selection.active.line ?? -1;
    await open();
    await until(place, (line) => line === 3001);
    document = vscode.window.activeTextEditor?.document ?? assert.fail('No document is in front.');
    await vscode.commands.executeCommand('cursorTop');
    await until(place, (line) => line === 0);
    await open();
    assert.equal(place(), 0);
  });

  it('shows earlier and later lines', async function () {
    await run(v.string(), 'execution.showEarlierLines', target);
    const text = await textWith((all) => all.startsWith('... 18,000 earlier log lines\n'));
    assert.ok(text.includes('mark-18001-') && text.includes('mark-20000-') && !text.includes('mark-20001-'));
    requirePage(this);
    await page.waitFor('.codelens-decoration:has-text("Later Lines")');
    await page.screenshot('long-log-earlier');
    await run(v.string(), 'execution.showLaterLines', target);
    await textWith((all) => all.includes('mark-23000-'));
  });

  it('is searched whole, leads to its first error, and is filtered', async function () {
    const found = await run(Matches, 'execution.searchLog', { ...target, text: 'MARK-77-' });
    assert.deepEqual(
      found.map(({ line }) => line),
      [77],
    );
    await run(v.string(), 'execution.openFirstError', target);
    await until(lineInFront, (text) => text.includes('mark-10000-'));
    await run(v.string(), 'execution.filterLog', { ...target, level: 'error' });
    const text = await textWith((all) => !all.includes('[info] node'));
    assert.equal(text.split('mark-').length, 3);
    requirePage(this);
    await page.waitFor('.codelens-decoration:has-text("2 of 23,000 log lines: Errors")');
    await page.screenshot('long-log-filtered');
    await run(v.string(), 'execution.filterLog', target);
    await textWith((all) => all.includes('mark-23000-'));
  });

  it('leads from one line with a text to the next with F3, and back', async function () {
    requirePage(this);
    const search = { ...target, connectionId, text: 'mark-100', invokedBy: 'person' };
    void vscode.commands.executeCommand(commandId('execution.searchLog'), search);
    await take('mark-100-');
    await until(lineInFront, (text) => text.includes('mark-100-'));
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await page.press('F3');
    await until(lineInFront, (text) => text.includes('mark-1000-'));
    await page.press('Shift+F3');
    await until(lineInFront, (text) => text.includes('mark-100-'));
    await run(v.string(), 'execution.filterLog', { ...target, text: 'MARK-100-' });
    await textWith((all) => all.includes('mark-100-') && !all.includes('mark-101-'));
    await run(v.string(), 'execution.filterLog', target);
    await textWith((all) => all.includes('mark-23000-'));
  });

  it('is saved where another extension keeps files, through that extension', async () => {
    const files = new MemoryFiles();
    const registration = vscode.workspace.registerFileSystemProvider('test-logs', files);
    try {
      const uri = vscode.Uri.from({ scheme: 'test-logs', path: '/workspace/whole.log' });
      const saved = await run(Saved, 'execution.saveLog', { ...target, fileUri: uri.toString() });
      assert.equal(saved.lineCount, 23_000);
      const text = new TextDecoder().decode(files.readFile(uri));
      assert.equal(text.match(/mark-/g)?.length, 23_000);
    } finally {
      registration.dispose();
    }
  });
});
