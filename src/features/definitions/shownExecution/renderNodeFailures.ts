// The nodes of a definition that failed in the execution that it shows. Pure.
import * as l10n from '@vscode/l10n';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import { plainLine } from '../../../editor/format.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import type { ShownExecution } from '../../../model/selection/shownExecution.ts';
import { shortId } from '../../../ui/words/names.ts';

interface NodeFailure {
  readonly nodeId: string;
  readonly offset: number;
  readonly length: number;
  readonly message: string;
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
    const failed = summary?.iterations.filter(({ status }) => status?.state === 'failed').length ?? 0;
    const iterations =
      summary === undefined || summary.iterations.length < 2 || failed === 0
        ? ''
        : ` (${l10n.t('{0} of {1}', failed, summary.iterations.length)})`;
    const message = failureMessage(shown.isLatest ? null : shortId(execution.id), iterations, reason);
    return [{ nodeId, ...label, message }];
  });
}

/** `id`: that of the execution; null for the latest. `iterations`: how many of a loop's have failed, or empty. */
function failureMessage(id: string | null, iterations: string, reason: string): string {
  if (id === null)
    return reason === ''
      ? l10n.t('This node failed in the latest execution{0}.', iterations)
      : l10n.t('This node failed in the latest execution{0}: {1}', iterations, reason);
  const name = plainLine(id, 40);
  return reason === ''
    ? l10n.t('This node failed in the execution {0}{1}.', name, iterations)
    : l10n.t('This node failed in the execution {0}{1}: {2}', name, iterations, reason);
}
