// The ways between an execution and those that its nodes started.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { passOn } from '../../../editor/commands.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { choose } from '../../../editor/prompts/prompts.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { executionWord } from '../../../words/executionWords.ts';
import { workflowName } from '../../../words/names.ts';
import { findRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import type { NodeRunDeps } from '../commands/opening.ts';

/** What the window knows of a child already stands beside its id. */
function chooseChild(
  { executions, workflows }: NodeRunDeps,
  connectionId: string,
  children: readonly string[],
): Promise<string> {
  return choose(
    vscode.l10n.t('Select a child execution'),
    children.map((executionId) => {
      const known = executions.find({ connectionId, executionId });
      const name = known && workflowName(workflows, connectionId, known.workflowId);
      return {
        label: executionId,
        ...(known && { description: `${name} · ${executionWord(known)}` }),
        value: executionId,
      };
    }),
  );
}

export function registerChildren(deps: NodeRunDeps): Disposable {
  const { commands, executions } = deps;
  return combine(
    commands.register<'nodeRun.openChild', NodeRunArgument>('nodeRun.openChild', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId }: NodeRunArgument = argument;
        const { children = [] } = (await findRun(deps, argument, isInteractive)) ?? {};
        const last = children.at(-1);
        if (last === undefined)
          throw new PlainError(vscode.l10n.t('This node run started no other execution.'));
        const executionId =
          isInteractive && children.length > 1 ? await chooseChild(deps, connectionId, children) : last;
        return commands.run('execution.open', passOn({ connectionId, executionId }, isInteractive));
      },
    }),
    commands.register('execution.openParent', {
      ask: () =>
        pickExecution(deps, vscode.l10n.t('Select a child execution'), {
          accepts: ({ parent }) => parent !== null,
          nothing: vscode.l10n.t('No execution was started by another one.'),
        }),
      run: async ({ connectionId, executionId }, { isInteractive }) => {
        // A list may say that there's one, but not which.
        const known = executions.find({ connectionId, executionId })?.parent;
        const parent = known ?? (await executions.read({ connectionId, executionId })).parent ?? null;
        if (parent === null)
          throw new PlainError(
            vscode.l10n.t("The service doesn't say that another execution started this one."),
          );
        return commands.run('execution.open', passOn({ connectionId, executionId: parent }, isInteractive));
      },
    }),
  );
}
