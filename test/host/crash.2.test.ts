// A window that opens after a crash shows its rows as soon as after any other end, and every execution completes.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { listExecutions, startLocalService } from './commands.ts';
import { giveRoom } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { soon } from './soon.ts';
import { until } from './until.ts';
import { takeOver } from './userData.ts';

const HandedOn = v.object({ workflowId: v.string(), executionCount: v.number() });
const view = 'workflowAutomation.workflows';
const executions = 'workflowAutomation.executions';

describe('after a crash of the local service', () => {
  it('a window that opens shows its rows, and every execution completes', async function () {
    requirePage(this);
    const { workflowId, executionCount } = takeOver(HandedOn);
    await soon('From the start to the rows', async () => {
      await Promise.all([startLocalService(), vscode.commands.executeCommand(`${view}.focus`)]);
      await until(
        () => page.rows(view),
        (all) => all.some(({ label }) => label.includes('Under way')),
      );
    });
    await page.screenshot('after-a-crash');
    await giveRoom(executions, [view, 'workflowAutomation.portalEvents', 'workflowAutomation.connections']);
    await until(
      () => page.rows(executions),
      (all) =>
        all.length >= executionCount &&
        all.every(({ accessibleName }) => accessibleName.includes('completed')),
    );
    await page.screenshot('after-a-crash-completed');
    const completed = await listExecutions({ workflowId, limit: 100, status: 'completed' });
    assert.equal(completed.length, executionCount);
  });
});
