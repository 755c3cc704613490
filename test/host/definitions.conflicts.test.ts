// No save goes over what its writer has not seen: both sides are shown, and the person decides.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json.ts';
import { DefinitionDocument } from './definitionDocument.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const pick = '.quick-input-widget';
const choice = (label: string): string => `${pick} .monaco-list-row:has-text("${label}")`;
const sides = '.monaco-diff-editor';

describe('a definition that somebody else changed meanwhile', () => {
  let editing: DefinitionDocument;

  before(async () => {
    editing = await DefinitionDocument.connect();
  });
  after(() => editing.disconnect());
  beforeEach(async function () {
    requirePage(this);
    await editing.begin();
  });
  afterEach(() => editing.end());

  /** Edits and saves over a change of somebody else, and waits for the question. */
  async function collide(mine: JsonObject, theirs: JsonObject): Promise<void> {
    await editing.change(mine);
    await editing.changeElsewhere(theirs);
    assert.equal(await editing.document.save(), false);
    await page.waitFor(choice('Keep Mine'));
  }

  async function pressEscape(): Promise<void> {
    await page.press('Escape');
    await page.waitUntilGone(pick);
  }

  it('stays unsaved after Escape, and the service as it is; the next save asks again', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await page.waitFor(sides);
    await page.screenshot('definition-conflict');
    await pressEscape();
    assert.ok(editing.document.isDirty);
    assert.equal(editing.parsed['description'], 'Mine');
    assert.equal(await editing.stored('description'), 'Theirs');
    assert.equal(await editing.document.save(), false);
    await page.waitFor(choice('Keep Mine'));
    await pressEscape();
    assert.equal(await editing.stored('description'), 'Theirs');
  });

  it('is mine after Keep Mine', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await page.click(choice('Keep Mine'));
    await editing.untilSaved();
    assert.equal(await editing.stored('description'), 'Mine');
    await page.waitUntilGone(sides);
  });

  it('is theirs after Take Theirs, and Undo brings mine back', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await page.click(choice('Take Theirs'));
    await editing.untilSaved();
    assert.equal(editing.parsed['description'], 'Theirs');
    assert.equal(await editing.stored('description'), 'Theirs');
    await page.waitUntilGone(sides);
    await vscode.commands.executeCommand('undo');
    await editing.untilReads('description', 'Mine');
  });

  it('is both after Merge, when they do not collide', async () => {
    await collide({ description: 'Mine' }, { name: 'Theirs' });
    await page.click(choice('Merge'));
    await editing.untilSaved();
    assert.deepEqual([editing.parsed['name'], editing.parsed['description']], ['Theirs', 'Mine']);
    assert.deepEqual([await editing.stored('name'), await editing.stored('description')], ['Theirs', 'Mine']);
  });

  it('is left to the person where Merge collides, and written with the next save', async () => {
    await collide({ description: 'Mine' }, { name: 'Theirs', description: 'Theirs' });
    await page.click(choice('Merge'));
    await editing.untilReads('name', 'Theirs');
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('Both versions changed description')),
    );
    await page.screenshot('definition-collision');
    assert.ok(editing.document.isDirty);
    assert.equal(await editing.stored('description'), 'Theirs');
    assert.ok(await editing.document.save());
    assert.deepEqual([await editing.stored('name'), await editing.stored('description')], ['Theirs', 'Mine']);
  });

  it('asks again when it was changed once more before the decision', async () => {
    await collide({ description: 'Mine' }, { description: 'Theirs' });
    await editing.changeElsewhere({ description: 'Theirs again' });
    await page.click(choice('Keep Mine'));
    await page.waitFor('.monaco-diff-editor .view-line:has-text("Theirs again")');
    await page.waitFor(choice('Keep Mine'));
    assert.equal(await editing.stored('description'), 'Theirs again');
    await page.click(choice('Keep Mine'));
    await editing.untilSaved();
    assert.equal(await editing.stored('description'), 'Mine');
  });

  it('asks as well when a refresh of the view has learnt of their change before', async () => {
    await editing.change({ description: 'Mine' });
    await editing.changeElsewhere({ description: 'Theirs' });
    // What a refresh learns meanwhile does not count as seen.
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    assert.equal(await editing.document.save(), false);
    await page.waitFor(choice('Keep Mine'));
    await pressEscape();
    assert.equal(await editing.stored('description'), 'Theirs');
  });
});
