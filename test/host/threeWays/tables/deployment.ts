// The commands that make a workflow run, in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { page } from '../../page.ts';
import { until } from '../../until.ts';
import { titleOf } from '../fixedCommands.ts';
import { choose, readChoices, runInPalette, scrollToTop, untilRow } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { echo, views, type World } from '../world.ts';

const view = views.workflows;
const question = 'Select a workflow';
const Executed = v.object({
  workflowId: v.string(),
  eventIds: v.pipe(v.array(v.string()), v.minLength(1)),
  status: v.literal('triggered'),
  executionId: v.optional(v.string()),
});

async function isInputOpen(name: string): Promise<void> {
  await page.waitFor(`.tab.active:has-text("${name}")`);
  await until(
    () => vscode.window.activeTextEditor?.document.uri.scheme,
    (scheme) => scheme === 'workflow-input',
  );
}

export function deploymentWays(world: World): WaysTable {
  const untilDeployed = async (name: string, isDeployed: boolean) => {
    await untilRow(view, name, ({ accessibleName }) =>
      accessibleName.startsWith(`${name}, ${isDeployed ? 'deployed' : 'not deployed'}`),
    );
    assert.equal((await world.workflow(name))?.isDeployed, isDeployed);
  };
  const imported = (name: string) => async () => {
    const workflowId = await world.importWorkflow(echo(name));
    await scrollToTop(view);
    await untilRow(view, name);
    return workflowId;
  };
  const deployed = (name: string) => async () => {
    const workflowId = await imported(name)();
    await world.deploy(workflowId);
    await untilDeployed(name, true);
    return workflowId;
  };

  return {
    'workflow.deploy': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Deployed by code')();
          const result = await call(v.unknown(), { workflowId });
          assert.deepEqual(result, { workflowId, isDeployed: true });
          await untilDeployed('Deployed by code', true);
        },
      },
      palette: {
        given: imported('Deployed by palette'),
        asks: question,
        run: async () => {
          await choose(question, 'Deployed by palette');
          await untilDeployed('Deployed by palette', true);
        },
      },
      tree: {
        given: imported('Deployed by tree'),
        place: { row: 'Deployed by tree' },
        view,
        run: () => untilDeployed('Deployed by tree', true),
      },
    },
    'workflow.undeploy': {
      code: {
        run: async (call) => {
          const workflowId = await deployed('Undeployed by code')();
          const result = await call(v.unknown(), { workflowId });
          assert.deepEqual(result, { workflowId, isDeployed: false });
          await untilDeployed('Undeployed by code', false);
        },
      },
      palette: {
        given: deployed('Undeployed by palette'),
        asks: question,
        run: async () => {
          const offered = await readChoices(question);
          assert.ok(!offered.includes('Undeployed by code'), 'offers only what is deployed');
          await choose(question, 'Undeployed by palette');
          await choose('Undeploy workflow "Undeployed by palette"?', 'Undeploy');
          await untilDeployed('Undeployed by palette', false);
        },
      },
    },
    'workflow.openInput': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Fed')();
          const uri = await call(v.string(), { workflowId });
          assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri);
        },
      },
    },
    'workflow.execute': {
      code: {
        run: async (call) => {
          const workflowId = await deployed('Executed by code')();
          const result = await call(Executed, { workflowId, input: { by: 'code' } });
          assert.equal(result.workflowId, workflowId);
          assert.equal((await world.executionsOf('Executed by code')).length, 1);
        },
      },
      palette: {
        given: deployed('Executed by palette'),
        asks: question,
        run: async () => {
          await choose(question, 'Executed by palette');
          await isInputOpen('Executed by palette');
          assert.equal((await world.executionsOf('Executed by palette')).length, 0);
          // What is asked for in the input document runs it.
          await runInPalette(titleOf('workflow.execute').palette);
          await vscode.commands.executeCommand(`${views.executions}.focus`);
          await untilRow(views.executions, 'Executed by palette');
        },
      },
      tree: { place: { row: 'Executed by code' }, view, run: () => isInputOpen('Executed by code') },
    },
  };
}
