// What runs a definition as its text stands, and what its nodes give instead of running.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { type PinsDeps, registerPins } from '../pins/register.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { type ExecuteNodeDeps, registerExecuteNode } from './executeNode.ts';

export function registerDrafts(
  drawnExecutions: DrawnExecutions,
  deps: ExecuteNodeDeps & PinsDeps,
): Disposable {
  return combine(registerExecuteNode(drawnExecutions, deps), registerPins(drawnExecutions, deps));
}
