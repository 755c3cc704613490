// A link to an execution, as VS Code hands it over: it opens a document of one's own connection, asks before it switches, and does nothing else.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, listExecutions, run } from './commands.ts';
import { untilInFront, untilNothingInFront } from './front.ts';
import {
  choose,
  escape,
  readChoices,
  retype,
  runInPalette,
  runOnRow,
  typeOver,
  untilAsked,
  untilRow,
} from './keyboard.ts';
import { clearNotifications, untilNotified } from './notifications.ts';
import { allowLinks, openLink } from './openLink.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Connection = v.object({ connectionId: v.string() });
const view = 'workflowAutomation.executions';
const switchQuestion = 'Switch to "Team" to open an execution?';

const frontQuery = (): string => vscode.window.activeTextEditor?.document.uri.query ?? '';
const untilFront = (...parts: readonly string[]): Promise<string> =>
  until(frontQuery, (query) => parts.every((part) => query.includes(part)));

describe('a link to an execution', () => {
  let service: OwnService;
  let other: OwnService;
  let team: string;
  let elsewhere: string;
  let executionId: string;
  let link: string;

  const switchTo = (connectionId: string) => run(Connection, 'connection.switch', { connectionId });
  /** Which connection new questions are about. */
  const isTeamActive = async (): Promise<boolean> =>
    (await run(v.array(v.unknown()), 'workflow.list', {})).length > 0;
  const linkWith = (name: string, value: string): string => {
    const [path = '', query = ''] = link.split('?');
    const members = new URLSearchParams(query);
    members.set(name, value);
    return `${path}?${members.toString()}`;
  };

  before(async function () {
    requirePage(this);
    await allowLinks(true);
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    other = await startOwnService('--requests-per-minute', '1000');
    team = await connect('Team', service);
    const { id: workflowId } = await findWorkflow('Signup check');
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const input = { name: 'Ada', email: 'ada.example.com', age: 36 };
    executionId = (await execute(workflowId, input)).executionId ?? assert.fail('No execution is known.');
    await until(
      () => listExecutions({ workflowId }),
      ([newest]) => newest?.status === 'failed',
    );
    await run(v.string(), 'execution.open', { executionId });
    link = await run(v.string(), 'execution.copyLink', { executionId });
    elsewhere = await connect('Elsewhere', other);
  });
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilNothingInFront();
    await clearNotifications();
    await switchTo(team);
  });
  after(async () => {
    await allowLinks(false);
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(elsewhere);
    await disconnect(team);
    await service.stop();
    await other.stop();
  });

  it('names the execution, the workflow and a fingerprint, and neither an address nor a key', () => {
    const { scheme, authority, path, query } = vscode.Uri.parse(link, true);
    assert.deepEqual(
      [scheme, authority, path],
      [vscode.env.uriScheme, 'workflow-automation.workflow-automation', '/execution'],
    );
    assert.deepEqual([...new URLSearchParams(query).keys()], ['execution', 'workflow', 'service']);
    assert.ok(!link.includes(service.key) && !link.includes('127.0.0.1') && !link.includes(team), link);
  });

  it('is copied from the row of the execution', async () => {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Signup check');
    await runOnRow(view, 'Signup check', 'Copy Link to Execution', 'Copy');
    await until(
      async () => vscode.env.clipboard.readText(),
      (text) => text === link,
    );
  });

  it('opens its log on the active connection without a question', async () => {
    await openLink(link);
    await untilFront(executionId, 'part=log');
    await page.screenshot('link-opened');
  });

  it('is pasted into a command, which says what is no such link', async () => {
    const question = 'Link to an execution';
    await untilAsked(question, () => runInPalette('Workflows: Open Link to Execution…'));
    await typeOver(question, link.replace('execution=', 'nothing='));
    await page.waitFor(`.quick-input-widget .quick-input-message:has-text("doesn't lead to an execution")`);
    await retype(link);
    await page.press('Enter');
    await untilFront(executionId, 'part=log');
    await until(
      () => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.lineAt(editor.selection.active.line).text ?? '';
      },
      (line) => line.includes('[error]'),
    );
  });

  it('opens from code, where nothing is asked and nothing switched', async () => {
    await switchTo(elsewhere);
    const uri = await run(v.string(), 'execution.openLink', { link });
    assert.ok(uri.includes(executionId) && uri.includes('part%3Dlog'), uri);
    assert.equal(await isTeamActive(), false);
    await assert.rejects(() => run(v.string(), 'execution.openLink', { link: 'https://example.com' }));
  });

  it('opens the node run that it names', async () => {
    await run(v.string(), 'nodeRun.open', { executionId, nodeId: 'refuse' });
    const key = new URLSearchParams(await untilFront('node=')).get('node');
    const nodeLink = await run(v.string(), 'execution.copyLink', { executionId, nodeRunKey: key });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await openLink(nodeLink);
    await untilFront(executionId, 'part=node');
    await untilInFront((document) => document.getText().includes('"nodeId": "refuse"'));
  });

  it('asks before it switches, and does nothing on Escape', async () => {
    await switchTo(elsewhere);
    await openLink(link);
    await readChoices(switchQuestion);
    await page.screenshot('link-question');
    await escape(switchQuestion);
    assert.equal(await isTeamActive(), false);
    await untilNothingInFront();
    await openLink(link);
    await choose(switchQuestion, 'Switch and Open');
    await untilFront(executionId, 'part=log');
    assert.equal(await isTeamActive(), true);
  });

  it('asks which connection to take where several lead to its service, unless one of them is active', async () => {
    const second = await connect('Team again', service);
    await openLink(link);
    await untilFront(executionId, 'part=log');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await switchTo(elsewhere);
    await openLink(link);
    const question = 'Select a connection for the linked execution';
    await readChoices(question);
    await until(page.quickPick, (labels) => labels.toSorted().join() === 'Team,Team again');
    await choose(question, 'Team again');
    await untilFront(executionId, 'part=log');
    await untilInFront(({ uri }) => uri.authority === second);
    await disconnect(second);
  });

  it('to a service without a connection says what to add', async () => {
    await openLink(linkWith('service', 'a'.repeat(22)));
    await untilNotified("You have no connection to this link's service.");
    await page.screenshot('link-without-connection');
    await untilNothingInFront();
  });

  it('takes no address, no key and no connection from the link', async () => {
    await switchTo(elsewhere);
    await openLink(
      `${link}&host=evil.example&baseUrl=https%3A%2F%2Fevil.example%2Fv1&key=svc_sk_evil&connection=${elsewhere}`,
    );
    await choose(switchQuestion, 'Switch and Open');
    await untilFront(executionId, 'part=log');
    await untilInFront(({ uri }) => uri.authority === team);
  });

  it('that names anything else than an execution is refused', async () => {
    for (const bad of [
      linkWith('execution', '../../workflows'),
      linkWith('execution', '$(reboot)'),
      linkWith('nodeRun', '../x'),
      `${link}&execution=exec_2`,
      `${link}&more=${'x'.repeat(3000)}`,
      link.replace('/execution?', '/workflow?'),
    ]) {
      await openLink(bad);
      await untilNotified("This link doesn't lead to an execution.");
      await clearNotifications();
      await untilNothingInFront();
    }
  });

  it('to an execution that is gone says so, and runs nothing, whatever the id looks like', async () => {
    for (const id of ['exec_gone', 'command:workbench.action.closeSidebar']) {
      await openLink(linkWith('execution', id));
      await untilNotified('Not found. It may have been deleted.');
      await page.screenshot('link-gone');
      await clearNotifications();
      await untilNothingInFront();
    }
  });
});
