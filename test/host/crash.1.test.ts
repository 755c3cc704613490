// The local service may crash with much under way; this is what stands before it, crash.2 is the window that opens after it.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run, startLocalService } from './commands.ts';
import { createKey } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { handOn, localService } from './userData.ts';

const Imported = v.object({ workflowId: v.string() });
const executionCount = 30;

const definition = {
  name: 'Under way',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 9000 } },
  ],
  edges: [{ source: 'start', target: 'rest' }],
};

/** Executes the workflow with another key, so that this window has requests left. */
async function executeElsewhere(workflowId: string): Promise<void> {
  const { baseUrl, data } = localService();
  const { key } = createKey(data);
  for (let count = 0; count < executionCount; count++) {
    const { status } = await fetch(`${baseUrl}/workflows/${workflowId}/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"input":{}}',
    });
    assert.equal(status, 202);
  }
}

describe('before a crash of the local service', () => {
  it('many executions are under way', async function () {
    requirePage(this);
    await startLocalService();
    const { workflowId } = await run(Imported, 'workflow.import', { definition });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await vscode.commands.executeCommand('workflowAutomation.workflows.focus');
    await executeElsewhere(workflowId);
    process.kill(localService().pid, 'SIGKILL');
    await until(
      () => page.rows('workflowAutomation.connections'),
      (all) => all.some(({ description }) => description.includes('stopped')),
    );
    handOn({ workflowId, executionCount });
  });
});
