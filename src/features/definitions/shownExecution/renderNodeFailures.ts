// The nodes of a definition that failed in the execution that it shows. Pure.
import * as l10n from '@vscode/l10n';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import { joined, plainLine } from '../../../base/format.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import type { ShownExecution } from '../../../model/selection/shownExecution.ts';
import { shortId } from '../../../words/names.ts';

interface NodeFailure {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  /** The execution went on. */
  readonly isHandled: boolean;
}

/** The nodes in the text that failed, with their errors. A failed attempt that was retried successfully doesn't count. */
export function renderNodeFailures(
  shown: ShownExecution,
  nodes: ReadonlyMap<string, NodeView>,
  positions: readonly DefinitionNode[],
): readonly NodeFailure[] {
  if (shown.kind !== 'execution') return [];
  const { execution } = shown;
  return positions.flatMap(({ id: nodeId, label }) => {
    const summary = nodes.get(nodeId);
    const isNamed = execution.status.state === 'failed' && execution.error?.nodeId === nodeId;
    const hasFailed = summary?.worst.status?.state === 'failed';
    if (!isNamed && !hasFailed) return [];
    const reason = plainLine(
      ((hasFailed ? summary.worst.error : null) ?? (isNamed ? execution.error : null))?.message ?? '',
      1000,
    );
    const isHandled = !isNamed && summary?.worst.isHandled === true;
    const facts = joined([isHandled ? l10n.t('handled') : undefined, countFailed(summary)], ', ');
    const id = shown.isLatest ? null : shortId(execution.id);
    const message = failureMessage(id, facts === '' ? '' : ` (${facts})`, reason);
    return [{ ...label, message, isHandled }];
  });
}

/** "2 of 3", of a loop's iterations: those that weren't handled, or else all that failed. */
function countFailed(summary: NodeView | undefined): string | undefined {
  if (summary === undefined || summary.iterations.length < 2) return undefined;
  const handled = summary.iterations.filter(({ isHandled }) => isHandled).length;
  const count = summary.failed === 0 ? handled : summary.failed;
  return count === 0 ? undefined : l10n.t('{0} of {1}', count, summary.iterations.length);
}

/** `id`: that of the execution; null for the latest. `facts`: in parentheses, or empty. */
function failureMessage(id: string | null, facts: string, reason: string): string {
  if (id === null)
    return reason === ''
      ? l10n.t('This node failed in the latest execution{0}.', facts)
      : l10n.t('This node failed in the latest execution{0}: {1}', facts, reason);
  const name = plainLine(id, 40);
  return reason === ''
    ? l10n.t('This node failed in the execution {0}{1}.', name, facts)
    : l10n.t('This node failed in the execution {0}{1}: {2}', name, facts, reason);
}
