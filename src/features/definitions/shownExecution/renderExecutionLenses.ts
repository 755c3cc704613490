// The lenses of an execution on its definition: what it says above the first line, and above each node that ran. Pure.
import * as l10n from '@vscode/l10n';
import { hasFailed, type NodeRun } from '../../../domain/nodeRun.ts';
import { joined, withoutIcons } from '../../../base/format.ts';
import type { ShownExecution } from '../../../model/selection/shownExecution.ts';
import type { NodeSummary } from '../../../model/runs/nodeSummary.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { nameShown } from '../../../words/executionWords.ts';
import { countRuns, describeStates, errorOfRun, runWord } from '../../../words/nodeState.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { formatAge, formatDuration } from '../../../words/time.ts';
import { runIcon, statusIcon } from '../../../ui/icons.ts';

/** The text of the first lens; undefined while nothing is known. `wasRedeployedAfter`: the text may not be what ran. now: epoch milliseconds. */
export function renderExecutionLens(
  shown: ShownExecution,
  wasRedeployedAfter: boolean,
  now: number,
): string | undefined {
  if (shown.kind === 'unknown') return undefined;
  if (shown.kind === 'none') return l10n.t('Not executed yet');
  const { status, startedAt, createdAt, durationMs } = shown.execution;
  const began = startedAt ?? createdAt;
  const words = joined(
    [
      wordOfStatus(status),
      durationMs === null ? undefined : formatDuration(durationMs),
      began === null ? undefined : formatAge(began, now),
      wasRedeployedAfter ? l10n.t('redeployed since') : undefined,
    ],
    ' · ',
  );
  const icon = `$(${statusIcon(status.state, status.hasWarning).id})`;
  const title = nameShown(shown.execution, shown.isLatest);
  return `${icon} ${withoutIcons(`${title}: ${words}`)}`;
}

export function renderExecutionTooltip(wasRedeployedAfter: boolean): string {
  const doubt = wasRedeployedAfter
    ? l10n.t('The workflow was redeployed after this execution, so this text may differ from what ran.')
    : undefined;
  return joined([doubt, l10n.t('Open the log of this execution')], '\n');
}

/** A lens above a node. */
export interface NodeLens {
  readonly title: string;
  readonly tooltip: string;
  /** "choose": asks for one of the node's runs. */
  readonly does:
    | { readonly kind: 'open'; readonly nodeRunKey: string }
    | { readonly kind: 'choose' | 'retry' | 'previousIteration' | 'nextIteration' | 'nothing' };
}

/** How a node came out. For where nothing is said at the ends of lines. */
export function renderNodeOutcome(node: NodeView): readonly NodeLens[] {
  const [run, ...others] = node.runs;
  const does: NodeLens['does'] =
    run === undefined || others.length > 0 ? { kind: 'choose' } : { kind: 'open', nodeRunKey: run.key };
  return [{ title: renderTitle(node), tooltip: renderTooltip(node), does }];
}

/**
 * What can be done with the run that is shown of a node; the end of its line says how it came out. canRetry: the execution can go on from
 * where it failed.
 */
export function renderNodeActions(node: NodeView, canRetry: boolean): readonly NodeLens[] {
  const { run } = node;
  const isFailed = run !== undefined && hasFailed(run);
  return [...iterationLenses(node), ...runLenses(node), ...(isFailed && canRetry ? [retryLens()] : [])];
}

/** The iterations of the innermost loop around the node, to step through. */
function iterationLenses(node: NodeView): readonly NodeLens[] {
  const inner = node.loops.findLast((loop) => loop.count > 0);
  if (inner === undefined) return [];
  const { index, count } = inner;
  const place = renderIterationPlace(node);
  const title = node.failed === 0 ? place : `${place} (${l10n.t('{0} failed', node.failed)})`;
  const nothing: NodeLens['does'] = { kind: 'nothing' };
  const isLast = index + 1 === count;
  // Both arrows stay where they are, so that they can be clicked again and again.
  return [
    {
      title: '$(chevron-left)',
      tooltip: l10n.t('Show previous iteration'),
      does: index === 0 ? nothing : { kind: 'previousIteration' },
    },
    {
      title,
      tooltip: joined(
        [
          l10n.t('{0} iterations: {1}', node.iterations.length, wordsOf(node.iterations)),
          l10n.t('Select a node run to open'),
        ],
        '\n',
      ),
      does: { kind: 'choose' },
    },
    {
      title: '$(chevron-right)',
      tooltip: l10n.t('Show next iteration'),
      does: isLast ? nothing : { kind: 'nextIteration' },
    },
  ];
}

/** "Iteration 2 of 2 › Iteration 1 of 5", outermost first; '' outside of loops. */
export function renderIterationPlace({ loops }: NodeView): string {
  return loops
    .filter(({ count }) => count > 0)
    .map(({ index, count }) => l10n.t('Iteration {0} of {1}', index + 1, count))
    .join(' › ');
}

function runLenses({ run, earlier }: NodeView): readonly NodeLens[] {
  if (run === undefined || run.status?.state === 'skipped') return [];
  const open: NodeLens = {
    title: run.attempt > 1 ? l10n.t('Node Run (attempt {0})', run.attempt) : l10n.t('Node Run'),
    tooltip: l10n.t('Open the node run'),
    does: { kind: 'open', nodeRunKey: run.key },
  };
  if (earlier.length === 0) return [open];
  const choose = l10n.t('Select a node run to open');
  return [open, { title: l10n.t('Others…'), tooltip: choose, does: { kind: 'choose' } }];
}

function retryLens(): NodeLens {
  return {
    title: l10n.t('Retry from Failed Node'),
    tooltip: l10n.t('Go on from here in a new execution, with what the nodes before it gave'),
    does: { kind: 'retry' },
  };
}

function renderTitle(summary: NodeSummary): string {
  const { worst } = summary;
  const words = withoutIcons(joined([describeStates(summary), errorOfRun(worst, 80)], ' · '));
  return `$(${runIcon(worst).id}) ${words}`;
}

/** One line each: the result, the error, and what a click does. */
function renderTooltip(summary: NodeSummary): string {
  const { runs, iterations, worst } = summary;
  const count = countRuns(summary);
  const sum = count === undefined ? runWord(worst) : `${count}: ${wordsOf(iterations)}`;
  const reason = errorOfRun(worst, 300);
  const action = runs.length > 1 ? l10n.t('Select a node run to open') : l10n.t('Open the node run');
  return joined([sum, reason, action], '\n');
}

/** "2 completed, 1 failed". */
function wordsOf(iterations: readonly NodeRun[]): string {
  const byWord = Map.groupBy(iterations, runWord);
  return [...byWord].map(([word, runs]) => `${runs.length} ${word}`).join(', ');
}
