// What is deployed stands in the writing of the draft's author also while the draft isn't open.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import type { WorkflowChange } from '../../../src/model/workflows/workflows.ts';
import { DeployedDocuments } from '../../../src/features/definitions/compareWithDeployed.ts';
import { definitionUri, deployedUri } from '../../../src/ui/addresses.ts';
import { openWritten } from '../../support/writtenDocument.ts';
import { openWindow } from './files/openDefinitions.ts';
import { snapshotOf } from './files/snapshots.ts';

const target = { connectionId: 'c1', workflowId: 'wf_1' };
const uri = definitionUri(target, 'C', 'A');
const token: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: new vscode.EventEmitter<undefined>().event,
};

describe('the deployed side of a comparison', () => {
  const { open, texts, end } = openWindow();
  const workflow: Workflow = {
    ...snapshotOf({ name: 'A', nodes: [{ id: 'n', x: 2 }] }).workflow,
    deployedDefinition: { nodes: [{ id: 'n', x: 1 }] },
  };
  const workflows = {
    find: () => workflow,
    read: () => Promise.resolve(workflow),
    onDidChangeItems: new Emitter<WorkflowChange>().event,
  };
  const documents = new DeployedDocuments(workflows, open);
  const left = () => documents.provideTextDocumentContent(deployedUri(uri), token);
  after(() => {
    documents.dispose();
    end();
  });

  it('is in the usual format where nobody has saved another', async () => {
    assert.equal(await left(), `${JSON.stringify({ name: 'A', nodes: [{ id: 'n', x: 1 }] }, null, 2)}\n`);
  });

  it('is in the format that was saved', async () => {
    await texts.keep(target, '{"nodes": [{ "x": 3, "id": "n" }],\r\n"name": "B"}');
    assert.equal(await left(), '{"nodes": [{ "x": 1, "id": "n" }],\r\n"name": "A"}');
  });

  it('is in the format of the draft while it is open', async () => {
    const text = '{"name":"A","nodes":[{"id":"n","x":2}]}';
    open.receive(uri, { workflow, definition: workflow.raw }, text);
    const written = openWritten(uri, text);
    assert.equal(await left(), text.replace('2', '1'));
    written.close();
  });
});
