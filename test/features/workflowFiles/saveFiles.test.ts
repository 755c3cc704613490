// What is saved before a command on a file compares or pushes it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Cancelled } from '../../../src/editor/prompts/prompts.ts';
import { saveFile } from '../../../src/features/workflowFiles/saveFiles.ts';
import { documents } from '../../support/vscodeStandIn.ts';

describe('a file that a command is about', () => {
  it('ends the command where it could not be saved: what is on the disk is older than what the user sees', async () => {
    const uri = vscode.Uri.from({ scheme: 'memory', path: '/workspace/orders.workflow.json' });
    let canSave = true;
    const document = { uri, isDirty: true, save: () => Promise.resolve(canSave) };
    documents.open(document);
    await saveFile(uri);
    canSave = false;
    await assert.rejects(saveFile(uri), Cancelled);
    documents.close(document);
    await saveFile(uri);
  });
});
