import * as l10n from '@vscode/l10n';
import type { ShownExecution } from '../../../model/executions/latestExecution.ts';
import { summarizeNodeRuns } from '../../../model/executions/nodeSummaries.ts';
import { plainLine } from '../../../editor/format.ts';
import type { NodePosition } from './nodePositions.ts';

export interface NodeFailure {
  readonly nodeId: string;
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

/** The nodes in the text that failed, with their errors. A failed attempt that was retried successfully doesn't count. */
export function findNodeFailures(
  shown: ShownExecution,
  positions: readonly NodePosition[],
): readonly NodeFailure[] {
  if (shown.kind !== 'execution') return [];
  const { execution, nodeRuns } = shown;
  const summaries = summarizeNodeRuns(nodeRuns);
  return positions.flatMap(({ nodeId, label }) => {
    const summary = summaries.get(nodeId);
    const isNamed = execution.status.state === 'failed' && execution.error?.nodeId === nodeId;
    const hasFailed = summary?.worst.status?.state === 'failed';
    if (!isNamed && !hasFailed) return [];
    const reason = plainLine(
      ((hasFailed ? summary.worst.error : null) ?? (isNamed ? execution.error : null))?.message ?? '',
      1000,
    );
    const failed = summary?.turns.filter(({ status }) => status?.state === 'failed').length ?? 0;
    const turns =
      summary === undefined || summary.turns.length < 2 || failed === 0
        ? ''
        : ` (${failed} of ${summary.turns.length})`;
    const message =
      reason === ''
        ? l10n.t('This node failed in the latest execution{0}.', turns)
        : l10n.t('This node failed in the latest execution{0}: {1}', turns, reason);
    return [{ nodeId, ...label, message }];
  });
}
