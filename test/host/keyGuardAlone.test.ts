// A key is pasted before anybody used the extension; in this VS Code nothing of ours is run or shown before.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { replaceOnce } from './edits.ts';
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

/** Looks like a key and is nobody's; made of parts, so that no other tool takes this file for a leak. */
const someKey = ['svc', 'sk', 'Ab1-'.repeat(5)].join('_');

const ours = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'apiKeyInText');
const hasOurs = (uri: vscode.Uri) =>
  until(
    () => ours(uri).length,
    (count) => count === 1,
  );

describe('the key guard of a window in which nothing of ours was used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'key-guard-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const setGuard = (isOn: boolean | undefined) =>
    vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('keyGuard', isOn, vscode.ConfigurationTarget.Global);

  it('does nothing while it is switched off', async () => {
    await setGuard(false);
    const file = join(folder, 'off.json');
    writeFileSync(file, `{ "apiKey": "${someKey}", }`);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    await replaceOnce(document, '{', '\n{');
    // The JSON language looks later than the guard would.
    await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (all) => all.length > 0,
    );
    assert.deepEqual(ours(document.uri), []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await setGuard(undefined);
  });

  it('marks a key that is pasted, with the way out beside it', async function () {
    requirePage(this);
    const file = join(folder, 'settings.env');
    writeFileSync(file, 'WORKFLOW_API_KEY=');
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    await vscode.env.clipboard.writeText(someKey);
    await goBehind(editor, 'WORKFLOW_API_KEY=');
    await vscode.commands.executeCommand('editor.action.clipboardPasteAction');
    await hasOurs(document.uri);
    await page.waitFor('.squiggly-warning');
    await page.screenshot('key-guard-alone');
    await document.save();
  });
});
