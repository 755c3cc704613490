// The commands that compare two executions.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { showDocument } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { withLateProgress } from '../../../editor/prompts/prompts.ts';
import type { App } from '../../../ui/app.ts';
import { requireWorkflowId } from '../../../ui/workflowOf.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { beginOf } from '../../../words/executionWords.ts';
import { workflowName } from '../../../words/names.ts';
import type { ComparedDocuments, ComparedPair, ComparedTargets } from '../comparison/comparedDocuments.ts';
import { comparisonUri, sideUris } from '../comparison/sides.ts';

type ComparingDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executionDocuments' | 'executions' | 'requestWaits' | 'workflows'
>;

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
  const workflowId = (await ifOffered(deps.executions.get(target)))?.workflowId ?? null;
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
  const workflowId = requireWorkflowId(await ifOffered(executions.get(target, signal)));
  // More than one is asked for, since the service's own word for a status may be unknown.
  const query = { workflowId, status: 'completed', kind: 'deployed' } as const;
  const items = await executions.listWhole(connectionId, query, { limit: 10, signal });
  const found = items.find(
    ({ id, kind, status }) =>
      status.state === 'completed' && kind === 'deployed' && id !== target.executionId,
  );
  if (found !== undefined) return { connectionId, executionId: found.id };
  const name = workflowName(workflows, connectionId, workflowId);
  throw new PlainError(vscode.l10n.t('No other execution of "{0}" has completed yet.', name));
}

/** Takes the executions in the other order. */
function swap<T>({ left, right }: { readonly left: T; readonly right: T }) {
  return { left: right, right: left };
}

/** True if the execution on the right is known to have begun before the one on the left. */
function isNewerLeft({ left, right }: ComparedPair): boolean {
  const [leftBegan, rightBegan] = [beginOf(left.execution), beginOf(right.execution)];
  return leftBegan !== null && rightBegan !== null && leftBegan > rightBegan;
}

/**
 * Shows what differs between both in a document of its own. Returns the URIs of both sides, which are documents too.
 * isOlderLeft: puts the older one on the left, whichever was chosen first.
 */
async function compare(
  deps: ComparingDeps,
  compared: ComparedDocuments,
  chosen: ComparedTargets,
  { signal, isOlderLeft }: { readonly signal: AbortSignal; readonly isOlderLeft: boolean },
): Promise<readonly string[]> {
  const read = await compared.readPair(chosen, signal);
  const isSwapped = isOlderLeft && isNewerLeft(read);
  const targets = isSwapped ? swap(chosen) : chosen;
  const pair = isSwapped ? swap(read) : read;
  const uri = comparisonUri(deps, targets);
  await compared.lend(uri, pair, () => showDocument(deps.executionDocuments, uri));
  return sideUris(deps, targets, pair).map(String);
}

const progressTitle = () => vscode.l10n.t('Comparing executions…');

function registerCompare(deps: ComparingDeps, compared: ComparedDocuments): Disposable {
  return deps.commands.register('execution.compare', {
    ask: () => pickExecution(deps),
    run: async ({ otherExecutionId, ...target }, { selected }) => {
      const { connectionId } = target;
      const other =
        otherExecutionId === undefined
          ? await findOther(deps, target, selected)
          : { connectionId, executionId: otherExecutionId };
      return withLateProgress(deps, progressTitle(), (signal) =>
        compare(
          deps,
          compared,
          { left: target, right: other },
          {
            signal,
            // Code says which one it wants on the left.
            isOlderLeft: otherExecutionId === undefined,
          },
        ),
      );
    },
  });
}

/** The success is on the left, so that what the failed execution changed is marked on the right. */
function registerCompareWithLastSuccess(deps: ComparingDeps, compared: ComparedDocuments): Disposable {
  return deps.commands.register('execution.compareWithLastSuccess', {
    ask: () => pickExecution(deps, vscode.l10n.t('Select a failed execution'), { areFailed: true }),
    run: (target) =>
      withLateProgress(deps, progressTitle(), async (signal) => {
        const success = await findLastSuccess(deps, target, signal);
        return compare(deps, compared, { left: success, right: target }, { signal, isOlderLeft: false });
      }),
  });
}

export function registerComparing(deps: ComparingDeps, compared: ComparedDocuments): Disposable {
  return combine(registerCompare(deps, compared), registerCompareWithLastSuccess(deps, compared));
}
