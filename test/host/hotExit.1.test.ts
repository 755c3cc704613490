// What a person has typed and not saved outlives a reload of the window; this is what stands before it, hotExit.2 comes after.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DefinitionDocument, oneNodeALine } from './definitionDocument.ts';
import { replaceOnce, replaceText } from './edits.ts';
import { openInput } from './inputDocuments.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { filesHolding, handOn, requireHotExit, userData } from './userData.ts';

/** True once VS Code has put a text aside. */
const isBackedUp = (text: string): boolean =>
  filesHolding(text).some((path) => path.startsWith(join(userData(), 'User', 'Backups')));

describe('before a reload of the window', () => {
  before(function () {
    requirePage(this);
    requireHotExit(this);
  });

  it('a definition and an input are edited, and somebody else changes the workflow', async () => {
    const editing = new DefinitionDocument();
    await editing.connect();
    await editing.begin();
    const input = await openInput(editing.workflowId);
    await replaceText(input, '{ "half": "typed');
    await vscode.window.showTextDocument(editing.document);
    await editing.change({ description: 'Mine' });
    await editing.changeElsewhere({ name: 'Theirs' });
    // One that was saved, a node a line, and edited again; nobody else changes it.
    const saved = new DefinitionDocument();
    await saved.connect();
    await saved.begin();
    await saved.write(oneNodeALine);
    await saved.document.save();
    await saved.untilSaved();
    await replaceOnce(saved.document, 'Says hello', 'Edited after the save');
    for (const text of ['"Mine"', '"half"', 'Edited after the save'])
      await until(
        () => isBackedUp(text),
        (isThere) => isThere,
      );
    assert.ok(input.isDirty && editing.document.isDirty);
    await page.screenshot('hot-exit-before');
    handOn({ editing: editing.handle, saved: saved.handle, inputUri: input.uri.toString() });
  });
});
