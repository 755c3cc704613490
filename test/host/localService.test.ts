// The local service may crash in the middle of a run; the run must be there and end, in the tree that was watching it.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { execute, run, startLocalService } from './commands.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { localService } from './userData.ts';

const view = 'workflowAutomation.workflows';
const Imported = v.object({ workflowId: v.string() });

const definition = {
  name: 'Survivor',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'before', name: 'Before', type: 'log', config: { message: 'before the crash' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 3000 } },
    { id: 'after', name: 'After', type: 'output', config: { expression: '{ "ok": true }' } },
  ],
  edges: [
    { source: 'start', target: 'before' },
    { source: 'before', target: 'rest' },
    { source: 'rest', target: 'after' },
  ],
};

describe('a crash of the local service', () => {
  it('ends no run: after a restart it goes on, and the tree follows it to its end', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    await startLocalService();
    const { workflowId } = await run(Imported, 'workflow.import', { definition });
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
    await execute(workflowId, {});
    const rows = () => page.rows(view);
    await until(rows, (all) => all.some((row) => row.level === 3 && row.label === 'Rest'));
    process.kill(localService().pid, 'SIGKILL');
    await until(
      () => page.rows('workflowAutomation.connections'),
      (all) => all.some(({ description }) => description.includes('stopped')),
    );
    await page.screenshot('service-crashed');
    await startLocalService();
    const done = await until(rows, (all) =>
      all.some((row) => row.level === 2 && row.accessibleName.includes('completed')),
    );
    const befores = done.filter((row) => row.level === 3 && row.label === 'Before');
    assert.equal(befores.length, 1, 'the finished node ran once');
    await page.screenshot('service-restarted');
    await vscode.commands.executeCommand('workflowAutomation.workflow.delete', { workflowId });
  });
});
