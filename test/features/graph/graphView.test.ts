// What the view of the graph is called beside its title.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { GraphView } from '../../../src/features/graph/graphView.ts';
import { FreshExecutions } from '../../../src/model/executions/freshExecutions.ts';
import { definitionUri } from '../../../src/ui/addresses.ts';
import { isToPage, type ToPage } from '../../../src/webview/graph/messages.ts';
import { documents } from '../../support/vscodeStandIn.ts';
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
  readonly posted: ToPage[] = [];
  readonly webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'test:',
    onDidReceiveMessage: this.#messages.event,
    postMessage: (message: unknown) => {
      assert.ok(isToPage(message));
      this.posted.push(message);
      return Promise.resolve(true);
    },
    asWebviewUri: (uri) => uri,
  };

  get pageTitle(): string | undefined {
    return this.posted.flatMap((each) => (each.kind === 'graph' ? [each.title] : [])).at(-1);
  }

  show(): void {
    assert.fail('It shows itself.');
  }

  send(message: unknown): void {
    this.#messages.fire(message);
  }
}

describe('the view of the graph', () => {
  const open = async () => {
    const world = createWorld();
    const [connectionId, otherId] = await connectBoth(world);
    const definition = { nodes: [{ id: 'a', name: 'A', type: 'log', config: {} }], edges: [] };
    world.first.workflows = ['w', 'v'].map((id) =>
      makeWorkflow(id, { name: 'Orders', hasDefinition: true, raw: { id, ...definition } }),
    );
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
    const close = (): void => {
      graph.dispose();
      freshExecutions.dispose();
      world.following.dispose();
    };
    const subject = { connectionId, workflowId: 'w', executionId: null, nodeId: null, nodeRunKey: null };
    return { world, view, subject, otherId, close };
  };

  it('is called as its workflow, also once the name is known or has changed', async () => {
    const { world, view, subject, otherId, close } = await open();
    // As after a reload of the window.
    view.send({ kind: 'ready', subject });
    await world.workflows.refresh();
    assert.equal(view.description, 'Orders');
    world.first.change('w', { name: 'Invoices' });
    await world.workflows.refresh();
    await world.clock.advance(1000);
    assert.deepEqual([view.description, view.pageTitle], ['Invoices', 'Invoices']);
    // Its graph stays when another service's workflows are listed.
    world.second.workflows = [makeWorkflow('other')];
    await world.connections.switchTo(otherId);
    await world.workflows.refresh();
    assert.equal(view.description, 'Invoices');
    const { connectionId, workflowId } = subject;
    const target = { connectionId, workflowId };
    world.selection.selectNode({ target, executionId: null, nodeId: 'a', nodeRunKey: null, by: 'tree' });
    world.selection.selectComparison({
      left: { connectionId, executionId: 'e1' },
      right: { connectionId, executionId: 'e2' },
      firstDifferentNodeId: null,
    });
    await world.clock.advance(1000);
    assert.deepEqual([view.description, view.pageTitle], ['Invoices', 'Invoices']);
    close();
  });

  it('has the new name in the page where the definition is open, which stays as it is', async () => {
    const { world, view, subject, close } = await open();
    await world.workflows.refresh();
    const { connectionId } = subject;
    const text = '{"nodes": [{"id": "a", "name": "A", "type": "log"}], "edges": []}';
    const uri = definitionUri({ connectionId, workflowId: 'w' }, 'First', 'Orders');
    const document = { uri, version: 1, getText: () => text };
    documents.open(document);
    view.send({ kind: 'ready', subject });
    await world.clock.advance(1000);
    assert.equal(view.pageTitle, 'Orders');
    world.first.change('w', { name: 'Invoices' });
    await world.workflows.refresh();
    await world.clock.advance(1000);
    assert.equal(view.pageTitle, 'Invoices');
    documents.close(document);
    close();
  });

  it('does nothing with what was clicked on before another workflow was selected', async () => {
    const { world, view, subject, close } = await open();
    await world.workflows.refresh();
    view.send({ kind: 'ready', subject });
    const { connectionId } = subject;
    const act = (workflowId: string): void =>
      view.send({
        kind: 'act',
        shown: { connectionId, workflowId, executionId: null },
        action: { kind: 'select', nodeId: 'a', nodeRunKey: null },
      });
    const other = { target: { connectionId, workflowId: 'v' }, executionId: null, nodeRunKey: null };
    world.selection.selectNode({ ...other, nodeId: null, by: 'tree' });
    const selected = () => world.selection.node.current?.nodeId;
    act('w');
    assert.equal(selected(), null);
    act('v');
    assert.equal(selected(), 'a');
    close();
  });
});
