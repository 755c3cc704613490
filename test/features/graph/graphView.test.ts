// What the view of the graph is called beside its title.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { GraphView } from '../../../src/features/graph/graphView.ts';
import { FreshExecutions } from '../../../src/model/executions/freshExecutions.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

/** A page that has nothing drawn. */
class MemoryView implements vscode.WebviewView {
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly viewType = 'graph';
  readonly visible = true;
  readonly onDidDispose = new vscode.EventEmitter<undefined>().event;
  readonly onDidChangeVisibility = new vscode.EventEmitter<undefined>().event;
  description?: string;
  readonly webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'test:',
    onDidReceiveMessage: this.#messages.event,
    postMessage: () => Promise.resolve(true),
    asWebviewUri: (uri) => uri,
  };

  show(): void {
    assert.fail('It shows itself.');
  }

  send(message: unknown): void {
    this.#messages.fire(message);
  }
}

describe('the view of the graph', () => {
  it('is called as its workflow, also once the name is known or has changed', async () => {
    const world = createWorld();
    const [connectionId, otherId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w', { name: 'Orders' })];
    const events = { onDidReceive: () => ({ dispose: () => undefined }), setAttention: () => undefined };
    const freshExecutions = new FreshExecutions({ ...world, events, logger: silentLogger });
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => assert.fail(String(error)),
      activeConnectionId: () => connectionId,
      findSubject: () => undefined,
    });
    const extensionFolder = vscode.Uri.parse('file:///extension');
    const view = new MemoryView();
    const deps = { ...world, commands, extensionFolder, freshExecutions, logger: silentLogger };
    const graph = new GraphView(deps, view);
    // As after a reload of the window.
    const subject = { connectionId, workflowId: 'w', executionId: null, nodeId: null, nodeRunKey: null };
    view.send({ kind: 'ready', subject });
    await world.workflows.refresh();
    assert.equal(view.description, 'Orders');
    world.first.change('w', { name: 'Invoices' });
    await world.workflows.refresh();
    assert.equal(view.description, 'Invoices');
    // Its graph stays when another service's workflows are listed.
    world.second.workflows = [makeWorkflow('other')];
    await world.connections.switchTo(otherId);
    await world.workflows.refresh();
    assert.equal(view.description, 'Invoices');
    graph.dispose();
    freshExecutions.dispose();
    world.following.dispose();
  });
});
