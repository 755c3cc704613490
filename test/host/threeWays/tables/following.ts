// The commands that follow executions in all three ways.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { page } from '../../page.ts';
import { until } from '../../until.ts';
import { choose, readMenu } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { views, type World } from '../world.ts';

const view = views.executions;

/** Says hello, then rests for longer than any test lasts. */
const resting = {
  name: 'Resting',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Good night' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 600_000 } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
  ],
};

/** Whether the menu of the resting execution offers to stop following, which it does while it is followed. */
const isFollowed = async (expected: boolean): Promise<void> => {
  await until(
    async () => (await readMenu(view, 'Resting')).some((entry) => entry.startsWith('Stop Following')),
    (isOffered) => isOffered === expected,
  );
};

const logIsShown = async (text: string): Promise<void> => {
  await until(page.outputLines, (lines) => lines.some((line) => line.includes(text)));
};

export function followingWays(world: World): WaysTable {
  const rest = async () => ({ executionId: await world.executed(resting, {}) });
  const followedRest = async () => {
    await vscode.commands.executeCommand('workflowAutomation.execution.showLogs', await rest());
    await vscode.commands.executeCommand(`${view}.focus`);
    await isFollowed(true);
  };

  return {
    'execution.showLogs': {
      code: {
        run: async (call) => {
          const target = await rest();
          await call(v.object({ executionId: v.literal(target.executionId) }), target);
          await isFollowed(true);
          await logIsShown('Good night');
        },
      },
      tree: { given: rest, place: { row: 'Resting' }, view, run: () => logIsShown('Good night') },
    },
    'execution.stopFollowing': {
      code: {
        run: async (call) => {
          await followedRest();
          const target = await rest();
          await call(v.object({ executionId: v.literal(target.executionId) }), target);
          await isFollowed(false);
        },
      },
      palette: {
        given: followedRest,
        asks: 'Select an execution to stop following',
        run: async () => {
          await choose('Select an execution to stop following', 'Resting');
          await isFollowed(false);
        },
      },
    },
  };
}
