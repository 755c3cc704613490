// A person cancels, retries, executes again and deletes, one or several, and executes what isn't deployed as a draft.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { inPage, node } from './graphPage.ts';
import {
  check,
  choose,
  escape,
  readChoices,
  runInTitle,
  runOnRow,
  runOnSelected,
  selectRows,
  unfoldFirst,
  untilAsked,
  untilNoRow,
  untilRow,
} from './keyboard.ts';
import { clickLens, lensLink } from './lenses.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const workflowsView = 'workflowAutomation.workflows';
const Created = v.object({ id: v.string() });
const Executed = v.object({ executionIds: v.optional(v.array(v.string())) });

const trigger = { id: 'start', name: 'Start', type: 'trigger', config: {} };
const asleep = {
  name: 'Asleep',
  nodes: [trigger, { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 600_000 } }],
  edges: [{ source: 'start', target: 'rest' }],
};
const picky = {
  name: 'Picky',
  nodes: [
    trigger,
    {
      id: 'check',
      name: 'Check',
      type: 'transform',
      config: { expression: 'input.isBad ? $error("Not this one") : input' },
    },
  ],
  edges: [{ source: 'start', target: 'check' }],
};
describe('acting on executions', () => {
  let service: OwnService;
  let connectionId: string;
  let pickyId: string;

  const create = async (definition: { readonly name: string }): Promise<string> => {
    const { id } = await postTo(service, Created, '/workflows', definition);
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await untilRow(workflowsView, definition.name);
    return id;
  };
  const deploy = async (definition: { readonly name: string }): Promise<string> => {
    const id = await create(definition);
    await postTo(service, v.unknown(), `/workflows/${id}/deploy`, {});
    return id;
  };
  /** Not from this window. */
  const executeElsewhere = (workflowId: string, input: object) =>
    postTo(service, Executed, `/workflows/${workflowId}/execute`, { input });
  const refresh = () => vscode.commands.executeCommand('workflowAutomation.executions.refresh');
  const rowsThat = (isWanted: (row: Row) => boolean, count: number) =>
    until(
      async () => (await page.rows(view)).filter(isWanted),
      (rows) => rows.length === count,
    );
  const says =
    (...words: readonly string[]) =>
    ({ accessibleName }: Row) =>
      words.every((word) => accessibleName.includes(word));

  before(async () => {
    service = await startOwnService('--requests-per-minute', '100000');
    connectionId = await connect('Acting', service);
    await vscode.commands.executeCommand(`${view}.focus`);
    pickyId = await deploy(picky);
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', undefined, vscode.ConfigurationTarget.Global);
    await disconnect(connectionId);
    await service.stop();
  });

  it('asks before it cancels what was not started in this window; Escape leaves it', async function () {
    requirePage(this);
    await executeElsewhere(await deploy(asleep), {});
    await refresh();
    await untilRow(view, 'Asleep', says('waiting'));
    const question = 'Cancel the execution of "Asleep"?';
    await untilAsked(question, () => runOnRow(view, 'Asleep', 'Cancel Execution'));
    await escape(question);
    await untilRow(view, 'Asleep', says('waiting'));
    await untilAsked(question, () => runOnRow(view, 'Asleep', 'Cancel Execution'));
    assert.deepEqual(await readChoices(question), ['Cancel', 'Cancel Execution']);
    await page.screenshot('cancel-question');
    await choose(question, 'Cancel Execution');
    await untilRow(view, 'Asleep', says('cancelled'));
  });

  it('cancels in the title of the log channel what is followed there', async function () {
    requirePage(this);
    const workflowId = await deploy({ ...asleep, name: 'Followed' });
    const { executionId } = await execute(workflowId, {});
    const shown = { connectionId, executionId, invokedBy: 'person' };
    await vscode.commands.executeCommand('workflowAutomation.execution.showLogs', shown);
    await clickUntil('.part.panel .title-actions .action-label[aria-label^="Cancel"]', async () =>
      (await page.rows(view)).some((row) => row.label === 'Followed' && says('cancelled')(row)),
    );
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('retries all selected executions, and names the one that it fails for', async function () {
    requirePage(this);
    for (const isBad of [false, true, true, true]) await executeElsewhere(pickyId, { isBad });
    await refresh();
    await rowsThat(says('Picky', 'failed'), 3);
    await selectRows(view, 'Picky', 2);
    await runOnSelected('Retry from Failed Node');
    await rowsThat(says('Picky', 'retry of', 'failed'), 3);
    // The menu offers only what all selected rows have; one may have changed by then.
    const rows = (await listExecutions({ workflowId: pickyId })).map(({ id: executionId }) => ({
      kind: 'execution',
      key: executionId,
      connectionId,
      executionId,
      invokedBy: 'person',
    }));
    const selected = [...rows.slice(0, 2), ...rows.slice(-1)];
    await vscode.commands.executeCommand('workflowAutomation.execution.retry', selected[0], selected);
    // The failures of the others are told when they come.
    await until(
      () => page.notifications(),
      (all) => all.some((text) => /^Failed for 1 of 3\. "Picky" \w{6}: /.test(text)),
    );
    await page.screenshot('retried-several');
  });

  it('executes all selected executions again, after one question', async function () {
    requirePage(this);
    const before = await listExecutions({ workflowId: pickyId });
    await selectRows(view, 'Picky', 1);
    await untilAsked('Execute 2 executions again?', () => runOnSelected('Execute Again'));
    await choose('Execute 2 executions again?', 'Execute Again');
    await until(
      () => listExecutions({ workflowId: pickyId }),
      (all) => all.length === before.length + 2,
    );
  });

  it('retries from a node run, whose retry says what it reused, with a way there and back', async function () {
    requirePage(this);
    await executeElsewhere(pickyId, { name: 'Ada' });
    const [original] = await until(
      () => listExecutions({ workflowId: pickyId }),
      ([first]) => first?.status === 'completed',
    );
    assert.ok(original);
    const { id: executionId } = original;
    const shortId = executionId.slice(-6);
    await refresh();
    await until(
      () => page.rows(view),
      ([first]) => first?.accessibleName.includes(`${shortId}, completed`) === true,
    );
    await unfoldFirst(view);
    await runOnRow(view, 'Check', 'Retry from Here');
    await untilRow(view, 'Picky', says(`retry of ${shortId}`, 'completed'));
    await unfoldFirst(view);
    await untilRow(view, 'Start', says('reused'));
    await page.screenshot('retried-from-here');
    const retry = await run(v.string(), 'execution.openRetry', { executionId });
    await page.waitFor(lensLink(`Open Execution ${shortId}`));
    await page.screenshot('retry-details');
    await clickLens(lensLink(`Open Execution ${shortId}`), () => page.isThere(lensLink('Open Retry')));
    await page.screenshot('retried-details');
    await clickLens(lensLink('Open Retry'), () =>
      Promise.resolve(vscode.window.activeTextEditor?.document.uri.toString() === retry),
    );
    const [latest] = await listExecutions({ workflowId: pickyId });
    await run(v.unknown(), 'execution.openLog', { executionId: latest?.id ?? '' });
    // The level is a part with a color of its own, but not in a line that is dimmed.
    const partsOf = (words: string) =>
      page.texts(`.editor-instance .view-line:has-text("${words}") > span > span`);
    await until(
      () => partsOf('completed in'),
      (parts) => parts.includes('[info]'),
    );
    await until(
      () => partsOf('reused from'),
      (dimmed) => dimmed.length > 0 && !dimmed.includes('[info]'),
    );
    await page.screenshot('log-of-a-retry');
  });

  it('retries from the graph', async function () {
    requirePage(this);
    const failed = (await listExecutions({ workflowId: pickyId, status: 'failed' }))[0];
    assert.ok(failed);
    const before = (await listExecutions({ workflowId: pickyId })).length;
    await run(v.unknown(), 'execution.showInGraph', { executionId: failed.id });
    await page.click(inPage('button[aria-label="Retry from Failed Node"]'));
    await until(
      () => listExecutions({ workflowId: pickyId }),
      (all) => all.length === before + 1,
    );
    const [retry] = await listExecutions({ workflowId: pickyId });
    await run(v.unknown(), 'execution.showInGraph', { executionId: retry?.id ?? '' });
    await page.waitFor(`${node('start', 'data-state="completed"')}.dimmed`);
    assert.match(await page.text(node('start')), /completed · reused/);
    await page.screenshot('graph-of-a-retry');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('executes as a draft what is not deployed, marks it, and filters it out', async function () {
    requirePage(this);
    const workflowId = await create({ ...picky, name: 'Undeployed' });
    const draft = { connectionId, workflowId, input: {}, isConfirmed: true, invokedBy: 'person' };
    void vscode.commands.executeCommand('workflowAutomation.workflow.execute', draft);
    const question = 'Deploy workflow "Undeployed" and execute it?';
    assert.deepEqual(await readChoices(question), ['Cancel', 'Deploy and Execute', 'Execute as Draft']);
    await page.screenshot('draft-question');
    await choose(question, 'Execute as Draft');
    await untilRow(view, 'Undeployed', says('draft', 'completed'));
    await runInTitle(view, 'Filter Executions');
    await check('without drafts');
    await page.press('Enter');
    await until(
      () => page.texts(`${viewSelector(view)} .message`),
      ([line = '']) => line.includes('without drafts'),
    );
    await untilNoRow(view, 'Undeployed');
    await page.screenshot('without-drafts');
    await run(v.unknown(), 'executions.clearFilter');
    await untilRow(view, 'Undeployed');
  });

  it('deletes all selected workflows, after one question', async function () {
    requirePage(this);
    for (const name of ['Old 1', 'Old 2']) await create({ ...picky, name });
    const labels = (await page.rows(workflowsView)).map(({ label }) => label);
    const first = labels.find((label) => label.startsWith('Old')) ?? '';
    await selectRows(workflowsView, first, 1);
    await page.press('Delete');
    await page.screenshot('delete-several');
    await choose('Delete 2 workflows?', 'Delete');
    await untilNoRow(workflowsView, 'Old 1');
    await untilNoRow(workflowsView, 'Old 2');
  });
});
