// Compares the outputs of two executions in the same layout, so that only real differences show.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { type OpeningDeps, outputUri, titleOf } from './opening.ts';
import { isLarge } from '../documents/rendering/renderJson.ts';
import type { Output } from '../../../domain/execution.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { withCompactLayout } from '../../../ui/addresses.ts';

/** The other selected execution, or else one that the user chooses. */
async function findOther(
  deps: OpeningDeps,
  target: ExecutionTarget,
  selected: readonly ExecutionTarget[],
): Promise<ExecutionTarget> {
  const [other, ...more] = selected.filter(({ executionId }) => executionId !== target.executionId);
  if (more.length > 0) throw new PlainError(vscode.l10n.t('Select two executions to compare them.'));
  return other ?? pickExecution(deps, vscode.l10n.t('Compare with which execution?'), { except: target });
}

async function comparisonTitle(deps: OpeningDeps, both: readonly ExecutionTarget[]): Promise<string> {
  const titles = await Promise.all(both.map((target) => titleOf(deps, target)));
  const isOneWorkflow = new Set(titles.map(({ name }) => name)).size === 1;
  return titles.map(({ name, id }, at) => (isOneWorkflow && at > 0 ? id : `${name} ${id}`)).join(' ↔ ');
}

function isLargeOutput(reading: Output): boolean {
  return reading.kind === 'ready' && isLarge(reading.output);
}

/** Shows both outputs in one layout, compact if either is large. Returns their URIs. */
async function compare(deps: OpeningDeps, both: readonly ExecutionTarget[]): Promise<readonly string[]> {
  try {
    const outputs = await Promise.all(both.map((target) => outputUri(deps, target)));
    const isCompact = outputs.some(({ reading }) => isLargeOutput(reading));
    const uris = outputs.map(({ uri }) => (isCompact ? withCompactLayout(uri) : uri));
    await vscode.commands.executeCommand('vscode.diff', ...uris, await comparisonTitle(deps, both));
    return uris.map(String);
  } finally {
    for (const target of both) deps.outputs.forget(target);
  }
}

export function registerCompare(deps: OpeningDeps): Disposable {
  return deps.commands.register('execution.compare', {
    ask: () => pickExecution(deps),
    run: async ({ otherExecutionId, ...target }, { selected }) => {
      const { connectionId } = target;
      const other =
        otherExecutionId === undefined
          ? await findOther(deps, target, selected)
          : { connectionId, executionId: otherExecutionId };
      return compare(deps, [target, other]);
    },
  });
}
