// All executions in one view, as a person reads them: paged, filtered, compared, reported, and told of when they end.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { check, checkOf, closePrompt, foldAll, runInTitle, unfoldFirst } from './keyboard.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { soon } from './soon.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const Created = v.object({ id: v.string() });

const trigger = { id: 'start', name: 'Start', type: 'trigger', config: {} };
const greeting = {
  name: 'Greeting',
  nodes: [trigger, { id: 'hello', name: 'Hello', type: 'output', config: { expression: 'input' } }],
  edges: [{ source: 'start', target: 'hello' }],
};
const refusal = {
  name: 'Refusal [x](command:workbench.action.quit)',
  nodes: [
    trigger,
    { id: 'refuse', name: 'Refuse', type: 'fail', config: { message: 'No entry: {{ input.name }}' } },
  ],
  edges: [{ source: 'start', target: 'refuse' }],
};
const executed = 120;

const rows = () => page.rows(view);
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);
const row = (text: string) => `.quick-input-widget .monaco-list-row:has-text("${text}")`;
const message = () => page.texts(`${viewSelector(view)} .message`);
const isUnfiltered = async () => (await message()).every((text) => text === '');

describe('the Executions view', () => {
  let service: OwnService;
  let connectionId: string;
  let greetingId: string;

  const deploy = async (definition: object): Promise<string> => {
    const { id } = await postTo(service, Created, '/workflows', definition);
    await postTo(service, v.unknown(), `/workflows/${id}/deploy`, {});
    return id;
  };

  before(async () => {
    service = await startOwnService('--requests-per-minute', '100000');
    greetingId = await deploy(greeting);
    connectionId = await connect('Executions', service);
    await call('connection.switch', { connectionId });
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  /** An execution as the tree hands it to a command. */
  const element = (executionId: string) => ({ invokedBy: 'person', connectionId, executionId });

  it('says that nothing was executed yet', async function () {
    requirePage(this);
    await page.waitFor(
      `${viewSelector(view)} .welcome-view-content:has-text("Nothing has been executed yet")`,
    );
    await page.screenshot('executions-empty');
  });

  it('shows the newest hundred, and the others with "Load More…"', async function () {
    requirePage(this);
    for (let at = 0; at < executed; at += 1)
      await postTo(service, v.unknown(), `/workflows/${greetingId}/execute`, { input: { at } });
    const shown = await soon('From the refresh to the rows', async () => {
      await call('executions.refresh');
      return until(rows, (all) => all.some(({ label }) => label.startsWith('Greeting')));
    });
    assert.ok(
      shown.every(({ accessibleName }) =>
        /^Greeting, Execution \w{6}, (queued|running|completed)/.test(accessibleName),
      ),
    );
    await page.waitFor(`${viewSelector(view)} .monaco-list-row[aria-setsize="101"]`);
    await page.screenshot('executions');
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.press('End');
    const more = `${viewSelector(view)} .monaco-list-row:has-text("Load More…")`;
    await page.waitFor(more);
    await clickUntil(more, async () => !(await page.isThere(more)));
    // Rows that come after the key are below those to which it went.
    await until(async () => {
      await vscode.commands.executeCommand(`${view}.focus`);
      await page.press('End');
      return page.appears(`${viewSelector(view)} .monaco-list-row[aria-posinset="${executed}"]`);
    }, Boolean);
    await page.press('Home');
  });

  it('shows what is executed here in front at once, its node runs below it', async function () {
    requirePage(this);
    const refusalId = await deploy(refusal);
    await call('workflows.refresh');
    // Out of sight, the log would leave the failure to a notification.
    const [latest] = await listExecutions({ limit: 1 });
    await call('execution.showLogs', element(latest?.id ?? ''));
    await page.waitFor('.output-view .view-line');
    await execute(refusalId, { name: 'nobody' });
    const [first] = await until(rows, ([row]) => row?.accessibleName.includes('failed') === true);
    assert.ok(first?.label.startsWith('Refusal') === true && first.icon.includes('error'));
    await unfoldFirst(view);
    await until(rows, (all) =>
      all.some(
        ({ level, label, accessibleName }) =>
          level === 2 && label === 'Refuse' && accessibleName.includes('No entry'),
      ),
    );
    await page.screenshot('executions-failed');
    await foldAll(view);
  });

  it('tells of a failure that was started here, and makes no link of a name', async function () {
    requirePage(this);
    // In the status bar, since the log in sight has the reason.
    const shown = await until(
      () => page.texts('.statusbar-item'),
      (all) => all.some((text) => text.includes('Refusal')),
    );
    assert.ok(!shown.some((text) => text.includes('Greeting')));
    assert.deepEqual(await page.texts('.statusbar-item a[href*="quit"]'), []);
    await page.screenshot('notice');
  });

  it('filters by state, workflow and time, says so, and clears it', async function () {
    requirePage(this);
    await call('executions.filter', { status: 'failed', within: 'hour' });
    const labels = (all: readonly Row[]) => all.map(({ label }) => label).join(', ');
    await until(rows, (all) => /^Clear Filter, Refusal[^,]*$/.test(labels(all)));
    await until(message, ([line]) => line === 'Showing failed, last hour only');
    await page.screenshot('executions-filtered');
    await clickUntil(`${viewSelector(view)} .monaco-list-row:has-text("Clear Filter")`, isUnfiltered);
    await call('executions.filter', { workflowId: greetingId, status: 'failed' });
    const welcome = `${viewSelector(view)} .welcome-view-content:has-text("No executions match the filter")`;
    await page.waitFor(welcome);
    await page.waitFor(`${viewSelector(view)} .pane-header .description:has-text("Greeting, failed")`);
    await page.screenshot('executions-filtered-to-nothing');
    await clickUntil(
      `${viewSelector(view)} .welcome-view-content .monaco-button:has-text("Clear Filter")`,
      async () => (await rows()).length > 1,
    );
    await until(isUnfiltered, Boolean);
  });

  it('asks for the whole filter at once, with the keyboard, and again with what is set', async function () {
    requirePage(this);
    const first = call('executions.filter');
    await page.waitFor(row('failed'));
    await page.waitFor('.quick-input-widget input:focus');
    await page.enter('failed');
    await page.press('ArrowDown');
    await page.press('Space');
    await page.waitFor(checkOf('failed'));
    await page.screenshot('executions-filter-pick');
    await page.press('Enter');
    await first;
    await until(message, ([line]) => line === 'Showing failed only');
    await runInTitle(view, 'Filter Executions');
    await page.waitFor(checkOf('failed'));
    for (const choice of ['waiting', 'last hour', 'last 24 hours']) await check(choice);
    await page.waitUntilGone(checkOf('last hour'));
    await page.screenshot('executions-filter-pick-again');
    await page.press('Enter');
    await until(message, ([line]) => line === 'Showing waiting or failed, last 24 hours only');
    await runInTitle(view, 'Filter Executions');
    await clickUntil('.quick-input-widget .quick-input-titlebar .codicon-clear-all', isUnfiltered);
  });

  it('leaves everything as it is on Escape in the question for a filter', async function () {
    requirePage(this);
    const asked: Thenable<unknown>[] = [];
    // The editor closes a question when the focus moves behind it; then it's asked again.
    await until(
      async () => {
        asked.push(call('executions.filter'));
        await page.appears(row('waiting'));
        return page.clickIfThere(row('waiting'));
      },
      (isClicked) => isClicked,
    );
    await closePrompt();
    await Promise.all(asked);
    assert.ok(await isUnfiltered());
  });

  it('compares two selected executions, the older one on the left', async () => {
    const [one, other] = await listExecutions();
    assert.ok(one && other);
    await call('execution.compare', element(one.id), [element(one.id), element(other.id)]);
    const document = await until(
      () => vscode.window.activeTextEditor?.document,
      (front) => front?.languageId === 'workflow-comparison',
    );
    assert.match(document?.getText() ?? '', new RegExp(`^< left .*${other.id}.*\\n> right .*${one.id}`, 'm'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('copies the ids and the reports of what is selected', async () => {
    const [one, other] = await listExecutions();
    assert.ok(one && other);
    const both = [element(one.id), element(other.id)];
    await call('execution.copyId', both[0], both);
    assert.equal(await vscode.env.clipboard.readText(), `${one.id}\n${other.id}`);
    await call('execution.copyReport', both[0], both);
    const copied = await vscode.env.clipboard.readText();
    assert.equal(copied.match(/^## /gm)?.length, 2);
    const report = await run(v.string(), 'execution.copyReport', { executionId: one.id });
    assert.ok(copied.startsWith(report));
    assert.ok(report.includes('### Failed at Refuse'));
    assert.ok(report.includes('No entry: nobody'));
    assert.ok(report.includes('"name": "nobody"'));
    assert.ok(!report.includes('[x](command:'));
  });
});
