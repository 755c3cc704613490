// A deployment takes what the service holds; edits that are not saved yet must not be taken for deployed.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isJsonObject } from '../../src/base/json.ts';
import { commandId } from '../../src/editor/commands/names.ts';
import { editNewDefinitions } from './definitionDocument.ts';
import { closePrompt, take } from './keyboard.ts';
import { page, requirePage } from './page.ts';

const pick = '.quick-input-widget';

describe('deploying a definition with unsaved edits', () => {
  before(function () {
    requirePage(this);
  });
  const editing = editNewDefinitions();
  beforeEach(() => editing.change({ settings: { owner: 'Mine' } }));

  /** As chosen in a menu, and answered with the keyboard. */
  async function deploy(answer: () => Promise<void>): Promise<void> {
    const { authority: connectionId } = editing.document.uri;
    const deploying = vscode.commands.executeCommand(commandId('workflow.deploy'), {
      invokedBy: 'person',
      connectionId,
      workflowId: editing.workflowId,
    });
    await page.waitFor(`${pick} input[placeholder^="The definition has unsaved changes"]:focus`);
    await answer();
    await deploying;
  }

  const choose = (label: string) => async () => {
    await page.screenshot('deploy-unsaved');
    await take(label);
  };

  async function deployedSettings(): Promise<unknown> {
    const deployed = await editing.stored('deployedDefinition');
    return isJsonObject(deployed) ? deployed['settings'] : deployed;
  }

  it('takes them when the person says so', async () => {
    await deploy(choose('Save and Deploy'));
    assert.equal(editing.document.isDirty, false);
    assert.deepEqual(await deployedSettings(), { owner: 'Mine' });
  });

  it('leaves them when the person says so', async () => {
    await deploy(choose('Deploy Saved Version'));
    assert.ok(editing.document.isDirty);
    assert.deepEqual(await deployedSettings(), {});
  });

  it('deploys nothing after Escape', async () => {
    await deploy(closePrompt);
    assert.equal(await editing.stored('isDeployed'), false);
    assert.ok(editing.document.isDirty);
  });

  it('deploys nothing where the text cannot be saved', async () => {
    await editing.write('{ "name": ');
    await deploy(choose('Save and Deploy'));
    assert.equal(await editing.stored('isDeployed'), false);
    assert.equal(editing.document.getText(), '{ "name": ');
  });

  it('asks nothing of code, which deploys what is saved', async () => {
    const { workflowId } = editing;
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId });
    assert.deepEqual(await deployedSettings(), {});
  });
});
