// The rows of executions and their node runs, for any view.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Execution } from '../../domain/execution.ts';
import type { FoundPlace } from '../../domain/search.ts';
import type { ExecutionScope } from '../../domain/targets.ts';
import { isServiceError } from '../../domain/errors.ts';
import { joined } from '../../base/format.ts';
import { tooltip } from '../../editor/markdown.ts';
import type { ListTree } from '../../editor/tree/tree.ts';
import {
  noteElement,
  problemElement,
  type TreeRow,
  type RowElement,
} from '../../editor/tree/treeElements.ts';
import { type FollowState, isFinal } from '../../model/executions/following.ts';
import type { App } from '../app.ts';
import { describeError } from '../words/describeError.ts';
import { formats } from '../../words/formats.ts';
import { shortId } from '../../words/names.ts';
import {
  beginOf,
  countsSeconds,
  describeGoneRuns,
  describeNoNodes,
  describeTimes,
  draftWord,
  executionWord,
  isCancellable,
  retryWords,
  speakTimes,
} from '../../words/executionWords.ts';
import { findNodesAtEnd } from '../nodesAtEnd.ts';
import {
  type ExecutionElement,
  executionKey,
  type RunTreeElement,
  runTreeElement,
} from './executionElements.ts';
import { isCountingRun, listBelow, renderRunTree } from './nodeRunRows.ts';
import { statusIcon } from '../icons.ts';
import { describeFound, describePlace } from '../../words/foundPlaces.ts';

const { Collapsed } = vscode.TreeItemCollapsibleState;

type ExecutionRowsDeps = Pick<App, 'executions' | 'following' | 'services' | 'workflows' | 'clock'>;

/**
 * Lists the rows below an execution, read when it's expanded and after its end. They're redrawn each second while it runs, so nothing
 * is asked again here: an execution in sight is kept fresh, or followed. Empty when cancelled.
 */
export async function listNodeRuns(
  { executions, following, services, workflows, clock }: ExecutionRowsDeps,
  element: ExecutionElement | RunTreeElement,
  signal: AbortSignal,
): Promise<readonly TreeRow<RunTreeElement>[]> {
  if (element.kind !== 'execution') return listBelow(executions.logs(element).runTree, element);
  const { key } = element;
  const isLive = following.isFollowing(element);
  const feed = executions.logs(element);
  const hasEnded = executions.find(element)?.status.isTerminal === true;
  const { kind } = feed.reading;
  if (!isLive && (kind === 'never' || (kind === 'begun' && hasEnded))) {
    try {
      await executions.readLogs(element, signal);
    } catch (error) {
      if (signal.aborted) return [];
      if (!isServiceError(error)) return [problemElement(key, describeError(error, clock.now()).message)];
    }
  }
  const followed = following.find(element)?.state.current.kind;
  // Of a long log, the rest comes by following, unless that failed or the user has stopped it.
  if (feed.reading.kind === 'part' && (followed === undefined || followed === 'ended'))
    following.follow(element);
  if (!isLive && feed.reading.kind === 'failed')
    return [problemElement(key, describeError(feed.reading.error, clock.now()).message)];
  const rows = feed.runTree.items.map((item) => runTreeElement(element, item));
  if (feed.goneRuns > 0) return [noteElement(key, describeGoneRuns(feed.goneRuns)), ...rows];
  if (rows.length > 0) return rows;
  const status = executions.find(element)?.status;
  const atEndBy = findNodesAtEnd({ executions, services, workflows }, element);
  return [noteElement(key, describeNoNodes({ ...status, isTerminal: !isLive }, atEndBy))];
}

/** Redraws executions that changed or whose node runs changed. Calls `onList` for changed lists. */
export function watchExecutions<T extends RowElement>(
  { executions, following }: ExecutionRowsDeps,
  tree: ListTree<T>,
  onList: (scope: ExecutionScope) => void,
): Disposable {
  const owned = new DisposableStore();
  owned.add(
    executions.onDidChange((change) => {
      if (change.kind === 'list') onList(change.scope);
      else if (change.kind === 'nodeRuns') tree.redraw([executionKey(change.target)]);
      else {
        const { connectionId, executionIds } = change;
        tree.redraw(executionIds.map((executionId) => executionKey({ connectionId, executionId })));
      }
    }),
  );
  owned.add(following.onDidChange(({ target }) => tree.redraw([executionKey(target)])));
  return owned;
}

interface RowOptions {
  readonly nameOwner?: (execution: Execution) => string | undefined;
  readonly found?: Execution | undefined;
}

/**
 * Renders a row; undefined if its execution or node run isn't known. nameOwner: returns the owner for renderExecution. found: the record of an
 * execution that a search found.
 */
export function renderExecutionRow(
  { executions, following, services }: ExecutionRowsDeps,
  element: ExecutionElement | RunTreeElement,
  now: number,
  { nameOwner, found }: RowOptions = {},
): vscode.TreeItem | undefined {
  const execution = executions.find(element) ?? found;
  if (element.kind !== 'execution') {
    const hasEnded = execution?.status.isTerminal === true;
    return renderRunTree(executions.logs(element).runTree, element, now, hasEnded);
  }
  const follow = following.find(element)?.state.current;
  if (execution === undefined) return undefined;
  return renderExecution(execution, follow, now, {
    owner: nameOwner?.(execution),
    found: found?.found,
    offersCancel: services.offers(element.connectionId, 'cancel'),
    retry: executions.findRetry(element),
  });
}

/** True while the row counts up the seconds of what hasn't ended. */
export function isCountingRow(
  { executions, clock }: ExecutionRowsDeps,
  element: ExecutionElement | RunTreeElement,
): boolean {
  const now = clock.now();
  if (element.kind !== 'execution') return isCountingRun(executions.logs(element).runTree, element, now);
  const execution = executions.find(element);
  return execution !== undefined && countsSeconds(beginOf(execution), execution.status.state, now);
}

/** Returns undefined while following works, because the state says enough. */
function describeFollowing(state: FollowState | undefined): string | undefined {
  switch (state?.kind) {
    case 'connecting':
      return vscode.l10n.t('connecting…');
    case 'catchingUp':
      return vscode.l10n.t('reconnecting…');
    case 'pausedByLimit':
      return vscode.l10n.t('paused by the request limit');
    case 'failed':
      return vscode.l10n.t('following failed');
    case 'following':
    case 'ended':
    case 'stopped':
    case undefined:
      return undefined;
  }
}

/** Says for the tooltip whether the row changes on its own; undefined when that's not to be expected. */
function followingLabel(state: FollowState | undefined, isOver: boolean): string | undefined {
  if (isOver) return undefined;
  if (state?.kind === 'stopped') return vscode.l10n.t('Stopped following; the execution continues');
  if (state?.kind !== 'following') return describeFollowing(state);
  return state.by === 'stream'
    ? vscode.l10n.t('Following live')
    : vscode.l10n.t('Following, polled every few seconds');
}

interface RowContext {
  /** The workflow's name, sanitized for display, if the row isn't below its workflow. */
  readonly owner?: string | undefined;
  /** Whether the service can cancel executions. */
  readonly offersCancel?: boolean;
  /** Its newest retry, if one is known. */
  readonly retry?: Execution | undefined;
  /** Where a search found its text in it. */
  readonly found?: readonly FoundPlace[] | undefined;
}

/** now: epoch milliseconds. */
export function renderExecution(
  execution: Execution,
  follow: FollowState | undefined,
  now: number,
  { owner, offersCancel = false, retry, found = [] }: RowContext = {},
): vscode.TreeItem {
  const { status } = execution;
  const id = shortId(execution.id);
  const label = owner ?? id;
  const item = new vscode.TreeItem(label, Collapsed);
  const began = beginOf(execution);
  item.iconPath = statusIcon(status.state, status.hasWarning);
  // Last, for it may be cut: it tells repeated executions of a workflow apart.
  const ownId = owner === undefined ? undefined : id;
  const draft = draftWord(execution);
  const origin = retryWords(execution);
  const [place] = found.map((each) => describePlace(each));
  const words = [place, draft, ...describeTimes(execution, now), describeFollowing(follow), origin, ownId];
  item.description = joined(words, ' · ');
  item.contextValue = joined(
    [
      'execution',
      status.state,
      isCancellable(execution) ? 'cancellable' : undefined,
      execution.retryOf === null ? undefined : 'retry',
      retry === undefined ? undefined : 'retried',
      execution.parent === null ? undefined : 'child',
      follow && !isFinal(follow) ? 'followed' : undefined,
    ],
    ',',
  );
  item.tooltip = tooltip(joined([owner, id], ' · '), [
    joined([executionWord(execution), draft], ' · '),
    followingLabel(follow, status.isTerminal),
    execution.error?.message,
    ...found.map(describeFound),
    began === null ? undefined : vscode.l10n.t('Started: {0}', formats.time(began)),
    execution.completedAt === null
      ? undefined
      : vscode.l10n.t('Ended: {0}', formats.time(execution.completedAt)),
    vscode.l10n.t('ID: {0}', execution.id),
    execution.retryOf === null ? undefined : vscode.l10n.t('Retry of: {0}', execution.retryOf),
    retry === undefined ? undefined : vscode.l10n.t('Retried as: {0}', retry.id),
    typeof execution.parent === 'string' ? vscode.l10n.t('Started by: {0}', execution.parent) : undefined,
    status.isTerminal || offersCancel
      ? undefined
      : vscode.l10n.t("The service's API can't cancel an execution."),
  ]);
  item.accessibilityInformation = {
    label: joined(
      [owner, vscode.l10n.t('Execution {0}', id), draft, ...speakTimes(execution, now), origin, place],
      ', ',
    ),
  };
  return item;
}
