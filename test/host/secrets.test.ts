// From "+" to a call with a secret, by keys, without leaving the editor; and no file has its value.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { execute, run, startLocalService } from './commands.ts';
import { completionsAt } from './completions.ts';
import { untilExplained } from './hovers.ts';
import {
  choose,
  focusRow,
  leaveEmpty,
  retype,
  runInPalette,
  runQuickFix,
  typeOver,
  unfold,
  untilAsked,
  untilNothingIsAsked,
  untilRow,
  write,
} from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { filesHolding } from './userData.ts';

const view = 'workflowAutomation.connections';
const value = 'crm-token/of+a "person"';
const Created = v.object({ workflowId: v.string() });
const questions = {
  name: 'Name, for example API_TOKEN. HTTP request nodes use it as {{ secrets.NAME }}.',
  value: 'Value. The local service stores it encrypted, and nobody can read it again.',
  origins: 'Origins that may receive it, separated by spaces. Leave it empty for any.',
};

function definitionFor(url: string, headers: Readonly<Record<string, string>>) {
  return {
    name: 'Read the CRM',
    nodes: [
      { id: 'start', name: 'Start', type: 'trigger', config: {} },
      { id: 'ask', name: 'Ask', type: 'httpRequest', config: { url, headers } },
    ],
    edges: [{ source: 'start', target: 'ask' }],
  };
}

describe('a secret', () => {
  let server: Server;
  let url = '';
  let origin = '';
  const heard: (string | undefined)[] = [];
  const workflows: string[] = [];

  before(async function () {
    requirePage(this);
    server = createServer((request, response) => {
      heard.push(request.headers.authorization ?? request.headers['x-api-key']?.toString());
      response.end(`You are ${value}.`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    origin = `http://127.0.0.1:${address.port}`;
    url = `${origin}/`;
    await startLocalService();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['CRM_TOKEN', 'ASK_API_KEY'])
      await run(v.unknown(), 'secret.delete', { name }).catch(() => undefined);
    for (const workflowId of workflows) await run(v.unknown(), 'workflow.delete', { workflowId });
    server.closeAllConnections();
    server.close();
  });

  const openDefinition = async (headers: Readonly<Record<string, string>>) => {
    const { workflowId } = await run(Created, 'workflow.import', { definition: definitionFor(url, headers) });
    workflows.push(workflowId);
    const uri = await run(v.string(), 'workflow.open', { workflowId });
    return { workflowId, document: await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)) };
  };
  const problemsOf = ({ uri }: vscode.TextDocument, code: string) =>
    vscode.languages.getDiagnostics(uri).filter((problem) => problem.code === code);
  const untilProblems = (document: vscode.TextDocument, code: string, count: number) =>
    until(
      () => problemsOf(document, code),
      (problems) => problems.length === count,
    );
  const goTo = async (document: vscode.TextDocument, code: string): Promise<void> => {
    const [problem] = await untilProblems(document, code, 1);
    const editor = await vscode.window.showTextDocument(document);
    assert.ok(problem);
    editor.selection = new vscode.Selection(problem.range.start, problem.range.start);
  };
  const untilCompleted = (workflowId: string, executionId: string) =>
    until(
      () => run(v.array(v.object({ id: v.string(), status: v.string() })), 'execution.list', { workflowId }),
      (all) => all.some(({ id, status }) => id === executionId && status === 'completed'),
    );

  it('is created where a definition needs it, by its quick fix, and then the call works', async () => {
    const { workflowId, document } = await openDefinition({
      Authorization: 'Bearer {{ secrets.CRM_TOKEN }}',
    });
    await goTo(document, 'secretNotSet');
    await page.screenshot('secret-1-not-set');
    await runQuickFix('CRM_TOKEN');
    await write(questions.value, value);
    await write(questions.origins, origin);
    await untilNothingIsAsked();
    await untilProblems(document, 'secretNotSet', 0);
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
    const { executionId = '' } = await execute(workflowId, {});
    await untilCompleted(workflowId, executionId);
    assert.equal(heard.at(-1), `Bearer ${value}`);
    const opened = await run(v.string(), 'nodeRun.open', { executionId, nodeId: 'ask' });
    const { document: nodeRun } = await vscode.window.showTextDocument(vscode.Uri.parse(opened, true));
    await page.waitFor('.codelens-decoration a:has-text("Copy Request as cURL")');
    assert.ok(nodeRun.getText().includes('You are ***.'), nodeRun.getText());
    const report = await run(v.string(), 'execution.copyReport', { executionId });
    assert.ok(!report.includes(value));
  });

  it('has a row below the local service, where its value is replaced and it is deleted', async () => {
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Local service');
    await unfold(view, 'Local service');
    await untilRow(view, 'CRM_TOKEN', ({ description }) => description.endsWith(` · ${origin}`));
    await page.screenshot('secret-2-row');
    await untilAsked('Select the secret to replace', () =>
      runInPalette('Workflows: Replace Value of Secret…'),
    );
    await choose('Select the secret to replace', 'CRM_TOKEN');
    await write(questions.value, `${value} again`);
    await typeOver(questions.origins, `${origin} api.example.com`);
    await page.press('Enter');
    await page.waitFor(`.quick-input-message:has-text("\\"api.example.com\\" isn't an origin")`);
    await page.screenshot('secret-4-no-origin');
    await retype(`${origin} https://api.example.com`);
    await page.press('Enter');
    await untilNothingIsAsked();
    await untilRow(view, 'CRM_TOKEN', ({ description }) => description.endsWith(' · 2 origins'));
    await untilAsked(questions.name, () => runInPalette('Workflows: Create Secret…'));
    await write(questions.name, 'OTHER_TOKEN');
    await typeOver(questions.value, 'few letters');
    await page.waitFor('.quick-input-message:has-text("fewer than 12 characters")');
    await page.screenshot('secret-5-warning');
    await page.press('Enter');
    await leaveEmpty(questions.origins);
    await untilRow(view, 'OTHER_TOKEN');
    await focusRow(view, 'OTHER_TOKEN');
    await page.press('Delete');
    await choose('Delete secret "OTHER_TOKEN"?', 'Delete');
    await until(
      () => page.rows(view),
      (rows) => rows.every(({ label }) => label !== 'OTHER_TOKEN'),
    );
  });

  it('takes the place of a token that stands in a definition', async () => {
    const token = 'a-token-of-a-person';
    const { document } = await openDefinition({ 'X-Api-Key': token });
    await goTo(document, 'tokenInDefinition');
    await page.screenshot('secret-3-token');
    await runQuickFix('Move to a Secret');
    await write(questions.name, 'ASK_API_KEY');
    await leaveEmpty(questions.origins);
    await until(
      () => document.getText(),
      (text) => text.includes('{{ secrets.ASK_API_KEY }}') && !text.includes(token),
    );
    await untilProblems(document, 'tokenInDefinition', 0);
    await document.save();
  });

  it('is offered and explained in an expression', async () => {
    const { document } = await openDefinition({ Authorization: '{{ secrets.CRM_TOKEN }}' });
    const at = document.positionAt(document.getText().indexOf('CRM_TOKEN') + 3);
    await until(
      () => completionsAt(document, at),
      (labels) => labels.includes('CRM_TOKEN'),
    );
    await untilExplained(document, at, 'CRM_TOKEN', 'set ');
  });

  it('whose name is mistyped is named by a quick fix', async () => {
    const { document } = await openDefinition({ Authorization: 'Bearer {{ secrets.CRM_TOKN }}' });
    await goTo(document, 'secretNotSet');
    await runQuickFix('Change to "CRM_TOKEN"');
    await until(
      () => document.getText(),
      (text) => text.includes('"Bearer {{ secrets.CRM_TOKEN }}"'),
    );
    await untilProblems(document, 'secretNotSet', 0);
    await document.save();
  });

  it('is refused in words to code that gives no value, or a definition without a token', async () => {
    const call = (name: string, argument: object) =>
      vscode.commands.executeCommand(`workflowAutomation.${name}`, argument);
    await assert.rejects(async () => call('secret.create', { name: 'NO_VALUE' }), /expects \{name, value/);
    for (const argument of [
      { name: '1A', value },
      { name: 'TOO_LONG', value: 'x'.repeat(16_385) },
    ])
      await assert.rejects(async () => call('secret.create', argument), /16,384 bytes|doesn't begin/);
    const { document } = await openDefinition({ Accept: 'text/plain' });
    const uri = document.uri.toString();
    await assert.rejects(
      async () => call('secret.moveToken', { uri, name: 'ANY_NAME' }),
      /no token in the headers/,
    );
  });

  it('is in no file below the user data, and in no output channel', async () => {
    const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')];
    // VS Code deletes its backup of a document some time after the document is closed.
    await until(
      () => forms.flatMap(filesHolding),
      (files) => files.length === 0,
    );
  });
});
