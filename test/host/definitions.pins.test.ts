// An author pins what a server answered, changes that value, and executes what follows without calling the server again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { applyFound, replaceOnce, replaceText } from './edits.ts';
import { openDefinition } from './inlineDefinition.ts';
import { choose, runInPalette, untilAsked } from './keyboard.ts';
import { clickLens, drawnLens, lensLink, nodeLensLink } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

describe('the pins of a definition', () => {
  let server: Server;
  let calls = 0;
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    server = createServer((_request, response) => {
      calls += 1;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"total":21}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const definition = {
      name: 'Totals',
      nodes: [
        { id: 'start', name: 'Start', type: 'trigger', config: {} },
        {
          id: 'ask',
          name: 'Ask',
          type: 'httpRequest',
          config: { method: 'GET', url: `http://127.0.0.1:${address.port}/total` },
        },
        {
          id: 'double',
          name: 'Double',
          type: 'transform',
          config: { expression: 'nodes.ask.body.total * 2' },
        },
      ],
      edges: [
        { source: 'start', target: 'ask' },
        { source: 'ask', target: 'double' },
      ],
    };
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Pins', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, {});
    document = await openDefinition(workflowId);
    await until(page.lines, shows('Double', '42'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    server.close();
  });

  const shows = (name: string, value: string) => (lines: readonly string[]) =>
    lines.some((line) => line.includes(`"${name}"`) && line.includes('completed') && line.includes(value));
  const pinDocument = (node: string) =>
    vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => uri.path.endsWith('.pin.json') && uri.path.includes(node) && !isClosed,
    );
  const drafts = async () => (await listExecutions({ workflowId })).length - 1;

  it('are offered in place of a request, and answer it with what it answered before', async () => {
    assert.equal(calls, 1);
    await clickLens(nodeLensLink('Execute up to Here', 'double'), async () =>
      (await page.quickPick()).some((label) => label.includes('Pin Instead')),
    );
    await page.screenshot('pin-instead');
    await choose('Execute up to the node "Double"?', 'Pin Instead');
    await page.waitFor(drawnLens('Pinned:'));
    await until(page.lines, shows('Ask', 'pinned'));
    await until(page.lines, shows('Double', '42'));
    await page.screenshot('pinned-output');
    assert.equal(calls, 1);
    assert.equal(await drafts(), 1);
  });

  it('are edited as JSON, and the next draft has the new value', async () => {
    // A document is there before it's in front.
    await clickLens(
      lensLink('Pinned:'),
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'workflow-pin',
    );
    const pin = pinDocument('Ask');
    assert.ok(pin);
    await replaceOnce(pin, '"total": 21', '"total": 50');
    await page.screenshot('pin-document');
    assert.ok(await pin.save());
    await vscode.window.showTextDocument(document);
    await clickLens(nodeLensLink('Execute up to Here', 'double'), async () =>
      shows('Double', '100')(await page.lines()),
    );
    assert.equal(calls, 1);
  });

  it("keep what was pinned when the document isn't JSON", async () => {
    const pin = pinDocument('Ask');
    assert.ok(pin);
    await replaceOnce(pin, '"total": 50', '"total": 50,,');
    assert.equal(await pin.save(), false);
    await page.waitFor(':text("isn\'t valid JSON")');
    await page.screenshot('pin-refused');
    await vscode.window.showTextDocument(pin);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.match(pin.getText(), /"total": 50\b/);
  });

  it('say so when their node is gone, and are removed', async () => {
    await vscode.window.showTextDocument(document);
    await replaceOnce(document, '"id": "ask"', '"id": "question"');
    await page.waitFor(drawnLens('The pin "ask" has no node'));
    await page.screenshot('pin-without-node');
    await replaceOnce(document, '"id": "question"', '"id": "ask"');
    await page.waitFor(drawnLens('Pinned:'));
    await untilAsked('Select a pin', () => runInPalette('Workflows: Remove Pin'));
    await choose('Select a pin', 'Ask');
    await page.waitUntilGone(drawnLens('Pinned:'));
    await page.waitFor(':text("The pin of \\"ask\\" was removed.")');
    await page.screenshot('pin-removed');
  });

  it('of a node without an output are made by the first save, not by a look', async () => {
    await replaceOnce(document, '"id": "double"', '"id": "triple"');
    const row = { kind: 'workflow', connectionId, workflowId, invokedBy: 'person' };
    await vscode.commands.executeCommand('workflowAutomation.node.editPin', { ...row, nodeId: 'triple' });
    const pin = pinDocument('Double');
    assert.equal(pin?.getText(), 'null\n');
    await vscode.window.showTextDocument(document);
    await page.waitUntilGone(drawnLens('Pinned:'));
    await replaceOnce(pin, 'null', '7');
    assert.ok(await pin.save());
    await page.waitFor(drawnLens('Pinned: 7'));
    await page.screenshot('pin-begun');
  });

  describe('that are open while their node gets another id', () => {
    const openPins = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []))
        .filter(({ scheme }) => scheme === 'workflow-pin')
        .map(({ query }) => new URLSearchParams(query).get('node'));
    const untilOpen = (nodeId: string) =>
      until(openPins, (nodeIds) => nodeIds.length === 1 && nodeIds[0] === nodeId);
    const pinOf = async (nodeId: string) => {
      const pin = await until(
        () =>
          vscode.workspace.textDocuments.find(
            ({ uri, isClosed }) =>
              !isClosed &&
              uri.scheme === 'workflow-pin' &&
              new URLSearchParams(uri.query).get('node') === nodeId,
          ),
        (found) => found !== undefined,
      );
      assert.ok(pin);
      return pin;
    };
    /** What was typed follows a document that moves. */
    const untilTyped = (pin: vscode.TextDocument, text: string) =>
      until(
        () => ({ text: pin.getText(), isDirty: pin.isDirty }),
        (now) => now.text === text && now.isDirty,
      );
    const rename = (from: string, to: string) =>
      applyFound(() =>
        vscode.commands.executeCommand<vscode.WorkspaceEdit>(
          'vscode.executeDocumentRenameProvider',
          document.uri,
          document.positionAt(document.getText().indexOf(`"id": "${from}"`) + 8),
          to,
        ),
      );

    const edit = async (nodeId: string) => {
      await vscode.commands.executeCommand('workflowAutomation.node.editPin', {
        connectionId,
        workflowId,
        nodeId,
        invokedBy: 'person',
      });
      const pin = await pinOf(nodeId);
      // The editor keeps a closed document for a while, and shows its old text until it has read it anew.
      await until(
        () => pin.getText(),
        (text) => text === 'null\n',
      );
      return pin;
    };
    const forget = async (nodeId: string) => {
      await run(v.unknown(), 'node.removePin', { connectionId, workflowId, nodeId });
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(
        tabs.filter(
          ({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === 'workflow-pin',
        ),
      );
      await until(openPins, (left) => left.length === 0);
    };

    before(async () => {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      // The pin follows its node back.
      await until(openPins, (nodeIds) => nodeIds.includes('double') && !nodeIds.includes('triple'));
      await forget('double');
      await vscode.window.showTextDocument(document);
      // No execution that is shown has a node of this id.
      await rename('double', 'triple');
    });

    it('go with it, with what was typed and is not saved, and back', async () => {
      const pin = await edit('triple');
      await replaceText(pin, '7\n');
      assert.ok(await pin.save());
      await replaceOnce(pin, '7', '8');
      await rename('triple', 'fourfold');
      await untilTyped(await pinOf('fourfold'), '8\n');
      await untilOpen('fourfold');
      await page.screenshot('pin-of-a-renamed-node');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      const back = await pinOf('triple');
      await untilTyped(back, '8\n');
      await untilOpen('triple');
      assert.ok(await back.save());
      await page.waitFor(drawnLens('Pinned: 8'));
      await page.waitUntilGone(drawnLens('has no node'));
    });

    it('go with it before their first save', async () => {
      await forget('triple');
      const pin = await edit('triple');
      await replaceText(pin, '9\n');
      await vscode.window.showTextDocument(document);
      await rename('triple', 'fourfold');
      const moved = await pinOf('fourfold');
      await untilTyped(moved, '9\n');
      await untilOpen('fourfold');
      await page.waitUntilGone(drawnLens('Pinned:'));
      assert.ok(await moved.save());
      await page.waitFor(drawnLens('Pinned: 9'));
    });
  });
});
