// Steps through the turns of a loop on a definition.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { LoopPosition, NodeView } from '../../../model/runs/nodeView.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { LastRun, LastRuns } from '../lastRun/lastRuns.ts';

export type TurnsDeps = Pick<App, 'clock' | 'commands' | 'connections' | 'selection' | 'workflows'>;

/** The node whose loop is stepped. */
interface TurnArgument extends WorkflowTarget {
  /** Default: the node with the cursor. */
  readonly nodeId?: string | undefined;
}

export function registerTurns(lastRuns: LastRuns, deps: TurnsDeps): Disposable {
  const register = (name: 'workflow.previousTurn' | 'workflow.nextTurn', step: 1 | -1): Disposable =>
    deps.commands.register<typeof name, TurnArgument>(name, {
      ask: () => pickWorkflow(deps),
      run: (argument) => Promise.resolve(stepTurn(lastRuns.findOf(argument), argument, step, deps.selection)),
    });
  return combine(register('workflow.previousTurn', -1), register('workflow.nextTurn', 1));
}

/** Stays at the first and at the last turn. Throws a PlainError if there is no loop to step through. */
function stepTurn(
  lastRun: LastRun | undefined,
  argument: TurnArgument,
  step: 1 | -1,
  selection: App['selection'],
): { readonly nodeId: string; readonly turn: number; readonly turns: number } {
  if (lastRun?.shown.kind !== 'execution')
    throw new PlainError(
      vscode.l10n.t('No execution is shown in this definition. Open it and execute it first.'),
    );
  const nodeId = argument.nodeId ?? nodeAtCursor(lastRun);
  if (nodeId === undefined) throw new PlainError(vscode.l10n.t('Place the cursor inside a loop node.'));
  const loop = findLoop(lastRun.nodes, nodeId);
  if (loop === undefined)
    throw new PlainError(
      vscode.l10n.t('The node "{0}" isn\'t in a loop of this execution.', plainLine(nodeId, 80)),
    );
  const turn = Math.min(Math.max(loop.index + step, 0), loop.count - 1);
  selection.selectIteration(lastRun.shown.target, loop.key, turn);
  return { nodeId, turn: turn + 1, turns: loop.count };
}

function nodeAtCursor({ document, text }: LastRun): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return undefined;
  return text.nodeAt(document.offsetAt(editor.selection.active))?.id;
}

/** Returns the innermost loop around the node, or for a loop that is in no other one the loop itself. */
function findLoop(nodes: ReadonlyMap<string, NodeView>, nodeId: string): LoopPosition | undefined {
  const around = nodes.get(nodeId)?.loops ?? [];
  const own = (): LoopPosition | undefined =>
    [...nodes.values()].flatMap(({ loops }) => loops).find((loop) => loop.nodeId === nodeId);
  return around.findLast(({ count }) => count > 0) ?? own();
}
