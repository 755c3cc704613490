// The commands that compare two executions.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { ifTold } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { withLateProgress } from '../../../editor/prompts.ts';
import { executionUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { connectionName, workflowName } from '../../../ui/words/names.ts';
import { readCompared, renderCompared } from '../documents/compared.ts';
import type { Outputs } from '../documents/outputs.ts';
import { isLarge } from '../documents/renderJson.ts';
import { type ExecutionTitle, titleOf } from './opening.ts';

type ComparingDeps = Pick<App, 'clock' | 'commands' | 'connections' | 'executions' | 'workflows'>;

/** The other selected execution, or else one that the user chooses: of the same workflow first. */
async function findOther(
  deps: ComparingDeps,
  target: ExecutionTarget,
  selected: readonly ExecutionTarget[],
): Promise<ExecutionTarget> {
  const [other, ...more] = selected.filter(({ executionId }) => executionId !== target.executionId);
  if (more.length > 0) throw new PlainError(vscode.l10n.t('Select two executions to compare them.'));
  if (other !== undefined) return other;
  const { connectionId } = target;
  const workflowId = (await ifTold(deps.executions.get(target)))?.workflowId ?? null;
  return pickExecution(deps, vscode.l10n.t('Select an execution to compare with'), {
    except: target,
    ...(workflowId === null ? {} : { first: { connectionId, workflowId } }),
  });
}

/** Returns the newest completed execution of the same workflow. */
async function findLastSuccess(
  { executions, workflows }: ComparingDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<ExecutionTarget> {
  const { connectionId } = target;
  const workflowId = (await ifTold(executions.get(target, signal)))?.workflowId ?? null;
  if (workflowId === null)
    throw new PlainError(vscode.l10n.t("The service doesn't say which workflow was executed."));
  // More than one is asked for, since the service's own word for a status may be unknown.
  const query = { workflowId, status: 'completed' };
  const items = await executions.listWhole(connectionId, query, { limit: 10, signal });
  const found = items.find(({ id, status }) => status.state === 'completed' && id !== target.executionId);
  if (found !== undefined) return { connectionId, executionId: found.id };
  const name = workflowName(workflows, connectionId, workflowId);
  throw new PlainError(vscode.l10n.t('No other execution of "{0}" has completed yet.', name));
}

function comparisonTitle(titles: readonly ExecutionTitle[]): string {
  const isOneWorkflow = new Set(titles.map(({ name }) => name)).size === 1;
  return titles.map(({ name, id }, at) => (isOneWorkflow && at > 0 ? id : `${name} ${id}`)).join(' ↔ ');
}

/** Shows both executions in one layout, compact if either is large, so that only real differences show. Returns their URIs. */
async function compare(
  deps: ComparingDeps,
  outputs: Outputs,
  both: readonly ExecutionTarget[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { connections, executions } = deps;
  const sides = await Promise.all(
    both.map(async (target) => {
      const facts = await readCompared(executions, target, undefined, signal);
      return {
        target,
        output: facts.output,
        value: renderCompared(facts),
        title: titleOf(deps, target),
      };
    }),
  );
  const isCompact = sides.some(({ value }) => isLarge(value));
  const uris = sides.map(({ target, title: { name, id } }) =>
    executionUri(
      { target, part: 'comparison', nodeRunKey: '', isCompact },
      {
        connectionName: connectionName(connections, target.connectionId),
        title: `${name} ${id} ${vscode.l10n.t('comparison')}`,
      },
    ),
  );
  const title = comparisonTitle(sides.map((side) => side.title));
  await outputs.lend(sides, () => vscode.commands.executeCommand('vscode.diff', ...uris, title));
  return uris.map(String);
}

const progressTitle = () => vscode.l10n.t('Comparing executions…');

function registerCompare(deps: ComparingDeps, outputs: Outputs): Disposable {
  return deps.commands.register('execution.compare', {
    ask: () => pickExecution(deps),
    run: async ({ otherExecutionId, ...target }, { selected }) => {
      const { connectionId } = target;
      const other =
        otherExecutionId === undefined
          ? await findOther(deps, target, selected)
          : { connectionId, executionId: otherExecutionId };
      return withLateProgress(progressTitle(), (signal) => compare(deps, outputs, [target, other], signal));
    },
  });
}

/** The success is on the left, so that what the failed execution changed is marked on the right. */
function registerCompareWithLastSuccess(deps: ComparingDeps, outputs: Outputs): Disposable {
  return deps.commands.register('execution.compareWithLastSuccess', {
    ask: () => pickExecution(deps, vscode.l10n.t('Select a failed execution'), { areFailed: true }),
    run: (target) =>
      withLateProgress(progressTitle(), async (signal) => {
        const success = await findLastSuccess(deps, target, signal);
        return compare(deps, outputs, [success, target], signal);
      }),
  });
}

/** `outputs`: takes those that are read before their documents are opened. */
export function registerComparing(deps: ComparingDeps, outputs: Outputs): Disposable {
  return combine(registerCompare(deps, outputs), registerCompareWithLastSuccess(deps, outputs));
}
