// Selects what a definition shows: which execution, and which iteration of a loop.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { plainLine } from '../../../base/format.ts';
import type { CommandArgument } from '../../../editor/commands/types.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { LoopPosition, NodeView } from '../../../model/runs/nodeView.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { DrawnExecution, DrawnExecutions } from './drawnExecutions.ts';

export type SelectingDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'selection' | 'workflows'
>;

export function registerSelecting(drawnExecutions: DrawnExecutions, deps: SelectingDeps): Disposable {
  return combine(registerExecutionSelection(deps), registerIterationSelection(drawnExecutions, deps));
}

function registerExecutionSelection(deps: SelectingDeps): Disposable {
  const { commands, selection } = deps;
  return combine(
    commands.register('workflow.chooseExecution', {
      ask: () => pickWorkflow(deps),
      run: async ({ executionId, ...workflow }) => {
        const title = vscode.l10n.t('Select an execution to show in the definition');
        const id = executionId ?? (await pickExecution(deps, title, { workflow })).executionId;
        selection.selectExecution(workflow, id);
        return { executionId: id };
      },
    }),
    commands.register('workflow.showLatestExecution', {
      ask: () => pickWorkflow(deps),
      run: (workflow) => {
        selection.selectExecution(workflow, null);
        return Promise.resolve();
      },
    }),
  );
}

function registerIterationSelection(drawnExecutions: DrawnExecutions, deps: SelectingDeps): Disposable {
  const register = (
    name: 'workflow.previousIteration' | 'workflow.nextIteration',
    step: 1 | -1,
  ): Disposable =>
    deps.commands.register(name, {
      ask: () => pickWorkflow(deps),
      run: (argument) =>
        Promise.resolve(stepIteration(drawnExecutions.findOf(argument), argument, step, deps.selection)),
    });
  return combine(register('workflow.previousIteration', -1), register('workflow.nextIteration', 1));
}

/** Stays at the first and at the last iteration. Throws a PlainError if there is no loop to step through. */
function stepIteration(
  drawn: DrawnExecution | undefined,
  argument: CommandArgument<'workflow.nextIteration'>,
  step: 1 | -1,
  selection: App['selection'],
): { readonly nodeId: string; readonly iteration: number; readonly iterations: number } {
  if (drawn?.shown.kind !== 'execution')
    throw new PlainError(
      vscode.l10n.t('No execution is shown in this definition. Open it and execute it first.'),
    );
  const nodeId = argument.nodeId ?? nodeAtCursor(drawn);
  if (nodeId === undefined) throw new PlainError(vscode.l10n.t('Place the cursor inside a loop node.'));
  const loop = findLoop(drawn.nodes, nodeId);
  if (loop === undefined)
    throw new PlainError(
      vscode.l10n.t('The node "{0}" isn\'t in a loop of this execution.', plainLine(nodeId, 80)),
    );
  const index = Math.min(Math.max(loop.index + step, 0), loop.count - 1);
  selection.selectIteration(drawn.shown.target, loop.key, index);
  return { nodeId, iteration: index + 1, iterations: loop.count };
}

export function nodeAtCursor({ document, text }: DrawnExecution): string | undefined {
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
