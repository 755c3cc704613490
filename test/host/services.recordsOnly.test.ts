// A service that tells executions only in its list, two a page and with all that they hold: everything opens, and code gets all of them.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CommandName } from '../../src/editor/commands/names.ts';
import { serveOdd } from '../support/odd/serveOdd.ts';
import type { Running } from '../support/servers.ts';
import { connect, listExecutions, listWorkflows, run } from './commands.ts';
import { untilUriInFront } from './front.ts';
import { take } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);
const someKey = ['svc', 'sk', 'r'.repeat(20)].join('_');

describe('a service that tells executions in small pages of its list only', () => {
  let running: Running;
  let executionId = '';
  before(async function () {
    requirePage(this);
    running = await serveOdd({
      title: 'with executions told whole by the list, and nowhere else',
      places: { listNodeLogs: null, getOutput: null },
      singles: 'denied',
      hasFullList: true,
      hasStream: false,
      pageSize: 2,
    });
    await connect('Records only', { baseUrl: `http://127.0.0.1:${running.port}/v1`, key: someKey });
    const first = (await listWorkflows()).find(({ name }) => name === 'First');
    assert.ok(first);
    await call('workflow.deploy', { workflowId: first.id });
    for (let n = 1; n <= 3; n += 1) await call('workflow.execute', { workflowId: first.id, input: { n } });
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  after(() => running.close());

  it('gives code all of them, or as many as it wants', async () => {
    const all = await listExecutions();
    assert.equal(all.length, 3);
    assert.deepEqual(await listExecutions({ limit: 1 }), all.slice(0, 1));
    executionId = all.at(-1)?.id ?? '';
  });

  it('lists them, and opens what one of them took, did and gave', async () => {
    await until(
      () => page.rows(view),
      (all) => all.filter(({ accessibleName }) => accessibleName.startsWith('First')).length === 3,
    );
    await page.screenshot('records-only');
    const shownBy = async (name: CommandName): Promise<string> =>
      (await untilUriInFront(await run(v.string(), name, { executionId }))).getText();
    assert.deepEqual(JSON.parse(await shownBy('execution.openOutput')), { echo: { n: 1 } });
    await page.screenshot('records-only-output');
    assert.deepEqual(JSON.parse(await shownBy('execution.openInput')), { n: 1 });
    assert.match(await shownBy('execution.openLog'), /Start: began[^]*Start: ended/);
    await page.screenshot('records-only-log');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('names the tab of one that was chosen from the palette', async () => {
    const opening = call('execution.openOutput');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("First")');
    await take('First');
    await opening;
    await page.waitFor(`.tab:has-text("First")`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
