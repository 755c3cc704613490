// After the reload the texts are there, and a save still knows what they rest on: nobody's change is written over.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { DefinitionDocument, EditingHandle, oneNodeALine } from './definitionDocument.ts';
import { answerConflict, saveIntoQuestion } from './conflict.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { requireHotExit, takeOver } from './userData.ts';

const HandedOn = v.object({ editing: EditingHandle, saved: EditingHandle, inputUri: v.string() });

/** The editor tells that a document is dirty after it has told its text. */
async function untilDirty(document: vscode.TextDocument): Promise<void> {
  await until(() => document.isDirty, Boolean);
}

describe('after a reload of the window', () => {
  const editing = new DefinitionDocument();
  const saved = new DefinitionDocument();
  let inputUri: string;

  before(async function () {
    requirePage(this);
    requireHotExit(this);
    const handedOn = takeOver(HandedOn);
    ({ inputUri } = handedOn);
    await editing.resume(handedOn.editing);
    await saved.resume(handedOn.saved);
  });
  after(() => editing.disconnect());
  after(() => saved.disconnect());

  it('the definition is there as it was typed, unsaved', async () => {
    await page.waitFor('.tab.dirty[data-resource-name="Greeting.workflow.json"]');
    await page.screenshot('hot-exit-after');
    await editing.untilReads('description', 'Mine');
    assert.equal(editing.parsed['name'], 'Greeting');
    await untilDirty(editing.document);
  });

  it('its save meets the change of somebody else, and both can be merged', async () => {
    await saveIntoQuestion(editing.document);
    await page.screenshot('hot-exit-conflict');
    assert.equal(await editing.stored('description'), 'Says hello');
    await answerConflict('Merge');
    await editing.untilSaved();
    assert.deepEqual([await editing.stored('name'), await editing.stored('description')], ['Theirs', 'Mine']);
  });

  it('the input is there as it was typed, unsaved', async () => {
    const input = await until(
      () => vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === inputUri),
      (document) => document?.getText() === '{ "half": "typed',
    );
    assert.ok(input);
    await untilDirty(input);
  });

  it('one that was saved before it was edited is saved without a question, since nobody else changed it', async () => {
    await untilDirty(saved.document);
    await vscode.window.showTextDocument(saved.document);
    await saved.document.save();
    await saved.untilSaved();
    assert.equal(await saved.stored('description'), 'Edited after the save');
    const text = oneNodeALine.replace('Says hello', 'Edited after the save');
    assert.equal(saved.document.getText(), text);
    await saved.close();
    assert.equal((await saved.open()).getText(), text, 'the formatting of its author is there again');
  });
});
