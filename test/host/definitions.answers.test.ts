// An author answers the request of a node with what its server answered, changes that, and executes a draft that sends nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { replaceOnce, replaceText } from './edits.ts';
import { openDefinition } from './inlineDefinition.ts';
import { choose, runInPalette, untilAsked } from './keyboard.ts';
import { clickLens, drawnLens, lensLink } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

describe('the answers to the requests of a definition', () => {
  let server: Server;
  let calls = 0;
  let service: OwnService;
  let connectionId: string;
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
          retry: { maximumAttempts: 2, initialDelayMs: 1 },
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
    connectionId = await connect('Answers', service);
    const created = v.object({ workflowId: v.string() });
    const { workflowId } = await run(created, 'workflow.create', { definition });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, {});
    // The log of the execution would take half of the lines.
    await vscode.commands.executeCommand('workbench.action.closePanel');
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
  const answersDocument = () =>
    vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => uri.path.endsWith('.answers.json') && !isClosed,
    );

  it('begin with what was recorded, and a draft gets them instead of sending the request', async () => {
    // A document is there before it's in front.
    await clickLens(
      lensLink('Answer Request…'),
      () => vscode.window.activeTextEditor?.document.uri.path.endsWith('.answers.json') === true,
    );
    const answers = answersDocument();
    assert.ok(answers);
    const recorded = v.parse(
      v.array(v.object({ status: v.number(), body: v.unknown() })),
      JSON.parse(answers.getText()),
    );
    assert.deepEqual(recorded, [{ status: 200, body: { total: 21 } }]);
    await page.screenshot('answers-document');
    const given = [
      { status: 503, body: 'busy' },
      { status: 200, body: { total: 50 } },
    ];
    await replaceText(answers, JSON.stringify(given, null, 2));
    assert.ok(await answers.save());
    await vscode.window.showTextDocument(document);
    await page.waitFor(drawnLens('Answered: 503, 200'));
    await runInPalette('Workflows: Execute as Draft');
    await until(page.lines, shows('Ask', 'answered'));
    await until(page.lines, (lines) => lines.some((line) => line.includes('Computed 100.')));
    await page.screenshot('answered-draft');
    assert.equal(calls, 1);
  });

  it('keep what was saved when the document has no answers, and are removed', async () => {
    const answers = answersDocument();
    assert.ok(answers);
    await replaceOnce(answers, '[', '[{"status": 99},');
    assert.equal(await answers.save(), false);
    await page.waitFor(':text("answer 1 must have a")');
    await page.screenshot('answers-refused');
    await vscode.window.showTextDocument(answers);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.window.showTextDocument(document);
    await page.waitFor(drawnLens('Remove Answers'));
    await untilAsked('Select a pin', () => runInPalette('Workflows: Remove Pin'));
    await choose('Select a pin', 'Ask');
    await page.waitUntilGone(drawnLens('Answered:'));
  });
});
