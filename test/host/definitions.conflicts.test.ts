// No save goes over what its writer has not seen: both sides are shown, and the person decides.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json.ts';
import { theirsUri } from '../../src/ui/addresses.ts';
import { editNewDefinitions, oneNodeALine } from './definitionDocument.ts';
import { answerConflict, closeConflict, conflictButtons, saveIntoQuestion, type Saving } from './conflict.ts';
import { replaceOnce } from './edits.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const sides = '.monaco-diff-editor';

/** What is said about the workflow, except by the editor, which says after a while that it's saving. */
const notificationsAboutIt = async () =>
  (await page.notifications()).filter((text) => text.includes('Greeting') && !text.startsWith('Saving '));

describe('a definition that somebody else changed meanwhile', () => {
  before(function () {
    requirePage(this);
  });
  const editing = editNewDefinitions();

  /** Edits and saves over a change of somebody else, and waits for the question. Returns the save, which lasts until it's answered. */
  async function collide(mine: JsonObject, theirs: JsonObject): Promise<Saving> {
    await editing.change(mine);
    await editing.changeElsewhere(theirs);
    return saveIntoQuestion(editing.document);
  }

  it('shows the lines that differ with one question, and nothing covers them', async () => {
    const { saved } = await collide({ description: 'Mine' }, { description: 'Theirs' });
    await page.waitFor('.monaco-diff-editor .modified .view-line:has-text("Mine")');
    assert.equal(await page.isThere('.quick-input-widget'), false);
    const told = await notificationsAboutIt();
    assert.equal(told.length, 1, told.join('\n'));
    assert.deepEqual(await conflictButtons(), ['Merge', 'Keep Mine', 'Take Theirs']);
    await page.screenshot('definition-conflict');
    await answerConflict('Keep Mine');
    assert.equal(await saved, true);
    await until(notificationsAboutIt, (all) => all.length === 0);
  });

  it('shows no line as different that only its author formats otherwise', async () => {
    await editing.write(oneNodeALine);
    await editing.document.save();
    await editing.untilSaved();
    await editing.changeElsewhere({ description: 'Theirs' });
    await replaceOnce(editing.document, '"name": "Greet"', '"name": "Mine"');
    const { saved } = await saveIntoQuestion(editing.document);
    const theirs = await vscode.workspace.openTextDocument(theirsUri(editing.document.uri));
    assert.equal(theirs.getText(), oneNodeALine.replace('Says hello', 'Theirs'));
    await page.screenshot('definition-conflict-formatted');
    await answerConflict('Merge');
    assert.equal(await saved, true);
    await editing.untilReads('description', 'Theirs');
    assert.equal(
      editing.document.getText(),
      oneNodeALine.replace('Says hello', 'Theirs').replace('"name": "Greet"', '"name": "Mine"'),
    );
  });

  it('stays unsaved when the question is closed, and the service as it is; the next save asks again', async () => {
    const { saved } = await collide({ description: 'Mine' }, { description: 'Theirs' });
    await closeConflict();
    assert.equal(await saved, false);
    const [failure = ''] = await until(notificationsAboutIt, (all) => all.length === 1);
    assert.match(
      failure,
      /\(This workflow was changed on the service\. Nothing was saved; your edits are kept\.\)$/,
    );
    assert.ok(editing.document.isDirty);
    assert.equal(editing.parsed['description'], 'Mine');
    assert.equal(await editing.stored('description'), 'Theirs');
    await vscode.commands.executeCommand('notifications.clearAll');
    const again = await saveIntoQuestion(editing.document);
    await closeConflict();
    assert.equal(await again.saved, false);
    assert.equal(await editing.stored('description'), 'Theirs');
  });

  it('is mine after Keep Mine', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await answerConflict('Keep Mine');
    await editing.untilSaved();
    assert.equal(await editing.stored('description'), 'Mine');
    await page.waitUntilGone(sides);
  });

  it('is theirs after Take Theirs, and Undo brings mine back', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await answerConflict('Take Theirs');
    await editing.untilSaved();
    await editing.untilReads('description', 'Theirs');
    assert.equal(await editing.stored('description'), 'Theirs');
    await page.waitUntilGone(sides);
    assert.equal(editing.document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    await editing.untilReads('description', 'Mine');
  });

  it('is both after Merge, when they do not collide', async () => {
    await collide({ description: 'Mine' }, { name: 'Theirs' });
    await answerConflict('Merge');
    await editing.untilSaved();
    await editing.untilReads('name', 'Theirs');
    assert.equal(editing.parsed['description'], 'Mine');
    assert.deepEqual([await editing.stored('name'), await editing.stored('description')], ['Theirs', 'Mine']);
  });

  it('is told before where Merge keeps mine, since both changed it', async () => {
    await collide({ description: 'Mine' }, { name: 'Theirs', description: 'Theirs' });
    await until(
      () => page.notifications(),
      (texts) => texts.join().includes('Both changed description; Merge keeps yours there.'),
    );
    await page.screenshot('definition-collision');
    await answerConflict('Merge');
    await editing.untilSaved();
    await editing.untilReads('name', 'Theirs');
    assert.deepEqual([await editing.stored('name'), await editing.stored('description')], ['Theirs', 'Mine']);
  });

  it('keeps what is typed while the question stands', async () => {
    const { saved } = await collide({ description: 'Mine' }, { description: 'Theirs' });
    await editing.change({ description: 'Typed meanwhile' });
    await answerConflict('Take Theirs');
    assert.equal(await saved, false);
    await until(
      () => page.notifications(),
      (texts) => texts.join().includes('You edited the text in the meantime'),
    );
    assert.equal(editing.parsed['description'], 'Typed meanwhile');
    assert.equal(await editing.stored('description'), 'Theirs');
  });

  it('asks again when it was changed once more before the decision', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await editing.changeElsewhere({ description: 'Theirs again' });
    await answerConflict('Keep Mine');
    await page.waitFor('.monaco-diff-editor .view-line:has-text("Theirs again")');
    assert.equal(await editing.stored('description'), 'Theirs again');
    await answerConflict('Keep Mine');
    await editing.untilSaved();
    assert.equal(await editing.stored('description'), 'Mine');
  });

  it('asks as well when a refresh of the view has learnt of their change before', async () => {
    await editing.change({ description: 'Mine' });
    await editing.changeElsewhere({ description: 'Theirs' });
    // What a refresh learns meanwhile does not count as seen.
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    const { saved } = await saveIntoQuestion(editing.document);
    await closeConflict();
    assert.equal(await saved, false);
    assert.equal(await editing.stored('description'), 'Theirs');
  });
});
