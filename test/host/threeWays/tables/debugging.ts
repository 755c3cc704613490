// Debugging an execution, in all three ways.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { stopDebugging, untilCallStack } from '../../callStack.ts';
import { choose } from '../../keyboard.ts';
import { until } from '../../until.ts';
import type { WaysTable } from '../threeWays.ts';
import { echo, views, type World } from '../world.ts';

export function debuggingWays(world: World): WaysTable {
  const ran = (name: string) => async () => ({ executionId: await world.executed(echo(name), {}) });
  /** Its session has stopped, and is ended here; then the side bar is as it was. */
  const isDebugged = async (name: string): Promise<void> => {
    await until(
      () => vscode.debug.activeDebugSession?.name,
      (shown) => shown === name,
    );
    await untilCallStack((frames) => frames.includes(name));
    await stopDebugging();
    await vscode.commands.executeCommand(`${views.executions}.focus`);
  };

  return {
    'execution.debug': {
      code: {
        run: async (call) => {
          await call(v.strictObject({}), await ran('Stepped 1')());
          await isDebugged('Stepped 1');
        },
        unknown: { executionId: 'none' },
      },
      palette: {
        given: ran('Stepped 2'),
        asks: 'Select an execution to debug',
        run: async () => {
          await choose('Select an execution to debug', 'Stepped 2');
          await isDebugged('Stepped 2');
        },
      },
    },
  };
}
