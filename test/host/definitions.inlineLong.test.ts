// An execution that was started elsewhere, with a log that is too long to be read in one go, says on the definition why it failed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, listExecutions } from './commands.ts';
import { lensesOf, openDefinition } from './inlineDefinition.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Created = v.object({ id: v.string() });
const turnCount = 2000;

/** Three rows for each turn of the loop, and what fails comes after them. */
const definition = {
  name: 'Long',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each', type: 'forEach', config: { items: `[1..${turnCount}]` } },
    { id: 'say', name: 'Say', type: 'log', config: { message: 'item {{ item }}' } },
    { id: 'stop', name: 'Stop', type: 'fail', config: { message: 'too much' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'say', branch: 'each' },
    { source: 'each', target: 'stop', branch: 'done' },
  ],
};

describe('a definition whose latest execution has a long log', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    ({ id: workflowId } = await postTo(service, Created, '/workflows', definition));
    await postTo(service, v.unknown(), `/workflows/${workflowId}/deploy`, {});
    await postTo(service, v.unknown(), `/workflows/${workflowId}/execute`, { input: {} });
    connectionId = await connect('Long', service);
    await until(
      () => listExecutions({ workflowId }),
      ([execution]) => execution?.status === 'failed',
    );
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('says which node failed and why, and counts all iterations', async function () {
    const document = await openDefinition(workflowId);
    const lenses = await until(
      () => lensesOf(document),
      (all) => all.some((lens) => lens.endsWith(`Iteration 1 of ${turnCount}`)),
    );
    assert.match(lenses[0] ?? '', /failed/);
    requirePage(this);
    await vscode.window.showTextDocument(document);
    await until(page.lines, (lines) => lines.some((text) => /"Stop",✗ failed · .*too much/.test(text)));
    await page.screenshot('inline-long');
  });
});
