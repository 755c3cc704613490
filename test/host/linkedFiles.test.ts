// A file that workflows.json links to a workflow is its definition's document: it's executed, shown, debugged and tested, and saving it saves the file only.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { viewIds } from '../../src/editor/ids.ts';
import { serviceTarget } from '../../src/ui/addresses.ts';
import { pressInEditor, stopDebugging, untilFrames } from './callStack.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { replaceOnce, replaceText } from './edits.ts';
import { untilInFront, untilUriInFront } from './front.ts';
import { choose, focusRow, runInPalette, untilRow } from './keyboard.ts';
import { askSuggestions } from './completions.ts';
import { clickLens, drawnLens, nodeLensLink } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { readText, workspaceFile, writeText } from './presetFiles.ts';
import { writeInRenameBox } from './renameBox.ts';
import { goBehind } from './selection.ts';
import { type Running, serve } from '../support/servers.ts';
import { until } from './until.ts';

/** As its author writes it, under another name than the service has. */
const text = `{
  "name": "Twice here", "team": "billing",
  "nodes": [
    { "id": "start", "name": "Start", "type": "trigger", "config": {} },
    {
      "id": "double", "name": "Double", "type": "transform",
      "config": { "expression": "input.n * 2" }
    },
    { "id": "add", "name": "Add", "type": "transform", "config": { "expression": "nodes.double + 1" } }
  ],
  "edges": [{ "source": "start", "target": "double" }, { "source": "double", "target": "add" }]
}
`;

/** Counts the requests about single workflows to a service: lists are read again whenever it's time. */
async function serveCounting({
  baseUrl,
}: OwnService): Promise<Pick<Running, 'close'> & { readonly url: string; readonly count: () => number }> {
  let count = 0;
  const { host, hostname, port } = new URL(baseUrl);
  const running = await serve((incoming, response) => {
    if (incoming.url?.startsWith('/v1/workflows/') === true) count += 1;
    const { url: path, method, headers } = incoming;
    const forwarded = request({ hostname, port, path, method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  return { close: () => running.close(), url: `http://127.0.0.1:${running.port}`, count: () => count };
}

describe('a linked file', () => {
  const folder = workspaceFile('linked');
  const links = vscode.Uri.joinPath(folder, 'workflows.json');
  const file = vscode.Uri.joinPath(folder, 'twice.workflow.json');
  const tests = vscode.Uri.joinPath(folder, 'twice.workflow-test.json');
  let service: OwnService;
  let counting: Awaited<ReturnType<typeof serveCounting>>;
  let connectionId: string;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    counting = await serveCounting(service);
    const baseUrl = `${counting.url}/v1`;
    connectionId = await connect('Linked', { baseUrl, key: service.key });
    const definition = { ...(parseJson(text) as object), name: 'Twice' };
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, { n: 21 });
    await writeText(file, text);
    await writeLinks(baseUrl);
    document = await vscode.workspace.openTextDocument(file);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await counting.close();
    await service.stop();
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  const writeLinks = async (url: string): Promise<void> => {
    const environments = { staging: { url: `${url}/` } };
    const workflows = { 'twice.workflow.json': { staging: workflowId } };
    await writeText(links, JSON.stringify({ environments, workflows }, null, 2));
  };
  /** What an execution says is at the ends of lines; the log in the panel says it in other words. */
  const isDrawn = (lines: readonly string[]): boolean => lines.some((line) => line.includes('✓ completed'));
  /** What the service has. */
  const exported = async (): Promise<string> =>
    JSON.stringify(await run(v.unknown(), 'workflow.export', { workflowId }));
  const shows =
    (name: string, value: string) =>
    (lines: readonly string[]): boolean =>
      lines.some((line) => line.includes(`"${name}"`) && line.includes('completed') && line.includes(value));

  it('shows the execution of its workflow, and says in its language status where it goes', async () => {
    await vscode.window.showTextDocument(document);
    await until(page.lines, shows('Double', '42'));
    await page.waitFor('.editor-actions .codicon-cloud-upload');
    await clickUntil('.statusbar-item[id="status.languageStatus"]', () =>
      page.isThere('.hover-language-status:has-text("staging: Linked")'),
    );
    await page.screenshot('linked-file');
  });

  it('is executed as it stands, node by node', async () => {
    await replaceOnce(document, 'input.n * 2', 'input.n * 3');
    await clickLens(nodeLensLink('Execute Node', 'double'), async () =>
      shows('Double', '63')(await page.lines()),
    );
    assert.ok(document.isDirty);
  });

  it('is saved to the file, as it was written, and asks the service nothing', async () => {
    await until(page.lines, (lines) => !lines.some((line) => line.includes('changed since')));
    const before = counting.count();
    assert.ok(await document.save());
    assert.equal(await readText(file), text.replace('* 2', '* 3'));
    assert.equal((await exported()).includes('* 3'), false);
    assert.ok(counting.count() <= before + 1, 'more than the export');
  });

  it('asks which version to execute where it differs from the service', async () => {
    await page.click('.view-line:has-text("Double")');
    await pressInEditor('Control+Enter');
    await choose('The file differs from what the service has', 'Execute as Draft');
    await until(page.lines, shows('Add', '64'));
  });

  it('is stepped through, and stops at its breakpoints', async () => {
    const [latest] = await listExecutions({ workflowId });
    const line = document.positionAt(document.getText().indexOf('"id": "add"')).line;
    const place = new vscode.Location(file, new vscode.Position(line, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)]);
    await run(v.unknown(), 'execution.debug', { executionId: latest?.id, stopAt: 'start' });
    await untilFrames('Start', 'Twice');
    await pressInEditor('F5');
    await untilFrames('Add', 'Twice');
    await untilUriInFront(file.toString());
    await page.screenshot('linked-debugging');
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await stopDebugging();
  });

  it('has its expressions completed and evaluated, without executing anything', async () => {
    const { length } = await listExecutions({ workflowId });
    const editor = await vscode.window.showTextDocument(document);
    await goBehind(editor, '"expression": "nodes.');
    assert.ok((await askSuggestions((labels) => labels.includes('double'))).length > 0);
    await page.press('Escape');
    await goBehind(editor, 'nodes.double + 1');
    await page.press('Alt+Enter');
    await until(page.lines, (lines) =>
      lines.some((line) => /\+ 1"\s*= 64/.test(line.replaceAll('\u00a0', ' '))),
    );
    await page.screenshot('linked-evaluated');
    assert.equal((await listExecutions({ workflowId })).length, length);
  });

  it('has pins, which follow their node when F2 renames it', async () => {
    let editor = await vscode.window.showTextDocument(document);
    await goBehind(editor, '"id": "double');
    await runInPalette('Workflows: Edit Pin');
    const pin = await untilInFront(({ uri }) => uri.scheme === 'workflow-pin');
    await replaceText(pin, '100\n');
    assert.ok(await pin.save());
    editor = await vscode.window.showTextDocument(document);
    await page.waitFor(drawnLens('Pinned: 100'));
    await clickLens(nodeLensLink('Execute up to Here', 'add'), async () =>
      shows('Add', '101')(await page.lines()),
    );
    const before = document.getText();
    await goBehind(editor, '"id": "double');
    await writeInRenameBox('double', 'twice');
    await page.press('Enter');
    await until(
      () => document.getText(),
      (now) => now === before.replace('nodes.double', 'nodes.twice').replaceAll('"double"', '"twice"'),
    );
    await page.waitFor(drawnLens('Pinned: 100'));
    await page.screenshot('linked-renamed-node');
    await page.press('Control+Z');
    await until(
      () => document.getText(),
      (now) => now === before,
    );
    // There once the pin has followed its node back.
    await clickLens(
      nodeLensLink('Remove Pin', 'double'),
      async () => (await page.texts(drawnLens('Pinned: 100'))).length === 0,
    );
    assert.equal(document.isDirty, false);
  });

  it('is what tests run that name it, whatever its workflow is called', async () => {
    const expected = { status: 'completed', nodes: { double: { output: 63 } } };
    const test = { name: 'three times', input: { n: 21 }, expected };
    await writeText(tests, JSON.stringify({ workflow: './twice.workflow.json', tests: [test] }));
    await vscode.commands.executeCommand('testing.refreshTests');
    const outcomes = await run(v.array(v.looseObject({ outcome: v.string() })), 'test.run', {
      uri: tests.toString(),
    });
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['passed'],
    );
  });

  it('is what the tree opens, with a way to the definition on the service, and back', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(`${viewIds.workflows}.focus`);
    await untilRow(viewIds.workflows, 'Twice');
    await focusRow(viewIds.workflows, 'Twice');
    await page.press('Enter');
    await untilUriInFront(file.toString());
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await runInPalette('Workflows: Open Definition on Service');
    await untilInFront(({ uri }) => serviceTarget(uri)?.workflowId === workflowId);
    await page.waitFor('.codelens-decoration :text("twice.workflow.json")');
    await page.screenshot('linked-on-service');
    await clickLens('.codelens-decoration a:has-text("twice.workflow.json")', () => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      return shown?.toString() === file.toString();
    });
  });

  it('is pushed, deployed and executed with one answer', async () => {
    await run(v.unknown(), 'files.push', { folder: folder.toString(), mine: true });
    document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    await replaceOnce(document, 'input.n * 3', 'input.n * 4');
    await page.click('.view-line:has-text("Double")');
    await pressInEditor('Control+Enter');
    await choose('The file differs from what the service has', 'Push, Deploy and Execute');
    await until(page.lines, shows('Double', '84'));
    assert.equal((await exported()).includes('* 4'), true);
    await page.waitUntilGone('.codelens-decoration :text("Not pushed")');
    await page.screenshot('linked-pushed');
  });

  it('is a plain file once nothing links it', async () => {
    await until(page.lines, isDrawn);
    await vscode.workspace.fs.delete(links);
    await until(page.lines, (lines) => !isDrawn(lines));
    await page.waitUntilGone('.editor-actions .codicon-cloud-upload');
    await writeLinks(`${counting.url}/v1`);
    await until(page.lines, isDrawn);
  });

  it('belongs to no connection of another URL', async () => {
    await writeLinks(`${counting.url}/v2`);
    await until(page.lines, (lines) => !isDrawn(lines));
  });
});
