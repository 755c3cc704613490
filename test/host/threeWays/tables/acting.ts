// The commands that act on executions, in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { choose, untilRow } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { echo, views, type World } from '../world.ts';

const view = views.executions;

/** Fails at its second node. */
const failing = (name: string) => ({
  name,
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'fail', name: 'Fail', type: 'output', config: { expression: '$error("No such luck")' } },
  ],
  edges: [{ source: 'start', target: 'fail' }],
});

const Executed = v.object({
  workflowId: v.string(),
  eventIds: v.array(v.string()),
  status: v.literal('triggered'),
  executionId: v.string(),
});

/** Rests for longer than any test lasts. */
const asleep = (name: string) => ({
  name,
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 600_000 } },
  ],
  edges: [{ source: 'start', target: 'rest' }],
});

export function actingWays(world: World): WaysTable {
  const sleeping = async (name: string) => {
    const executionId = await world.executed(asleep(name), {});
    await untilRow(view, name, ({ accessibleName }) => /running|waiting/.test(accessibleName));
    return { executionId };
  };
  const isCancelled = async (name: string) => {
    await untilRow(view, name, ({ accessibleName }) => accessibleName.includes('cancelled'));
  };

  const failed = async (name: string) => {
    const executionId = await world.executed(failing(name), {});
    await untilRow(view, name, ({ accessibleName }) => accessibleName.includes('failed'));
    return { executionId };
  };
  const isRetried = async (name: string) => {
    await untilRow(view, name, ({ accessibleName }) => accessibleName.includes('retry of'));
    assert.equal((await world.executionsOf(name)).length, 2);
  };

  const isDrafted = async (name: string) => {
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, name, ({ accessibleName }) => /draft.*completed/.test(accessibleName));
    assert.equal((await world.workflow(name))?.isDeployed, false);
  };
  const written = async (name: string) => {
    const workflowId = await world.importWorkflow(echo(name));
    await vscode.commands.executeCommand(`${views.workflows}.focus`);
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await untilRow(views.workflows, name);
    return { workflowId };
  };

  return {
    'workflow.executeDraft': {
      code: {
        run: async (call) => {
          await call(Executed, { ...(await written('Drafty 1')), input: {} });
          await isDrafted('Drafty 1');
        },
        unknown: { workflowId: 'none', input: {} },
      },
      palette: {
        given: () => written('Drafty 2'),
        asks: 'Select a workflow',
        run: async () => {
          await choose('Select a workflow', 'Drafty 2');
          await isDrafted('Drafty 2');
        },
      },
    },
    'execution.retry': {
      code: {
        run: async (call) => {
          const target = await failed('Unlucky 1');
          await call(Executed, target);
          await isRetried('Unlucky 1');
        },
        unknown: { executionId: 'none' },
      },
      palette: {
        given: () => failed('Unlucky 2'),
        asks: 'Select an execution to retry',
        run: async () => {
          await choose('Select an execution to retry', 'Unlucky 2');
          await isRetried('Unlucky 2');
        },
      },
    },
    'execution.cancel': {
      code: {
        run: async (call) => {
          const target = await sleeping('Asleep 1');
          await call(v.object({ executionId: v.literal(target.executionId), status: v.string() }), target);
          await isCancelled('Asleep 1');
        },
        unknown: { executionId: 'none' },
      },
      palette: {
        given: () => sleeping('Asleep 2'),
        asks: 'Select an execution to cancel',
        run: async () => {
          await choose('Select an execution to cancel', 'Asleep 2');
          await isCancelled('Asleep 2');
        },
      },
    },
  };
}
