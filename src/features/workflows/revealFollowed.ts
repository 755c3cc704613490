// Shows in the Workflows view what a followed execution does.
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Pulse } from '../../base/pulse.ts';
import { type ExecutionTarget, executionName } from '../../domain/targets.ts';
import type { RowSelection } from '../../editor/tree/rowSelection.ts';
import type { ListTree } from '../../editor/tree/tree.ts';
import type { TreeRow, RowElement } from '../../editor/tree/treeElements.ts';
import { isAbout } from '../../model/executions/connectionExecutions.ts';
import { type Follow, isFinal } from '../../model/executions/following.ts';
import type { RunTreeItem } from '../../model/runs/runItems.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import type { App } from '../../ui/app.ts';
import { RowReveal } from './rowReveal.ts';
import type { WorkflowsElement } from './workflowsTree.ts';
import { type ExecutionElement, elementInTree, executionElement } from '../../ui/rows/executionElements.ts';

type RevealFollowedDeps = Pick<App, 'workflows' | 'executions' | 'following' | 'clock' | 'logger'>;
type View = Pick<vscode.TreeView<RowElement>, 'visible' | 'reveal' | 'onDidCollapseElement'>;
type Selection = Pick<RowSelection, 'onDidChoose'>;

/** The editor draws new rows about 200 ms after they were announced. */
const drawnAfterMs = 400;

/** Returns the failed run that no other failed run is below; else the top row of what runs; else the last top row. */
export function rowToShow(tree: RunTree, hasFailed: boolean): RunTreeItem | undefined {
  const failed = hasFailed ? findFailed(tree, tree.items) : undefined;
  const isOpen = (item: RunTreeItem): boolean => item.kind === 'run' && item.run.status?.isTerminal === false;
  return failed ?? tree.items.findLast(isOpen) ?? tree.items.at(-1);
}

function findFailed(tree: RunTree, items: readonly RunTreeItem[]): RunTreeItem | undefined {
  for (const item of items) {
    if (
      item.kind === 'iteration'
        ? item.state !== 'failed'
        : item.kind === 'loop' && item.iterations.failed === 0
    )
      continue;
    const below = findFailed(tree, tree.childrenOf(item));
    if (below !== undefined) return below;
    if (item.kind === 'run' && item.state === 'failed' && !item.run.isHandled) return item;
  }
  return undefined;
}

const isAt = (row: RowElement, { connectionId, executionId }: ExecutionTarget): boolean =>
  'executionId' in row &&
  row.executionId === executionId &&
  'connectionId' in row &&
  row.connectionId === connectionId;

/**
 * Unfolds the execution that was followed last and folds the one before, unless the user unfolded it. Scrolls to what runs and to
 * what failed until the user selects something.
 */
export class Followed implements Disposable {
  readonly #tree: ListTree<WorkflowsElement>;
  readonly #deps: RevealFollowedDeps;
  readonly #owned = new DisposableStore();
  readonly #unfolding: RowReveal<RowElement>;
  readonly #scrolling: RowReveal<RowElement>;
  #follow: Follow | undefined;
  /** The execution that was unfolded here, not by the user. */
  #unfolded: TreeRow<WorkflowsElement> | undefined;
  #chosen: readonly RowElement[] = [];
  #isLed = false;
  readonly #scrollPulse: Pulse;
  /** The key of the row that was scrolled to. */
  #shown = '';

  constructor(view: View, selection: Selection, tree: ListTree<WorkflowsElement>, deps: RevealFollowedDeps) {
    this.#tree = tree;
    this.#deps = deps;
    const { clock, logger, following, executions } = deps;
    this.#scrollPulse = this.#owned.add(
      new Pulse(clock, () => void this.#scrolling.reveal(() => this.#rowToShow()), { first: drawnAfterMs }),
    );
    const isDrawn = (row: RowElement): boolean => tree.isDrawn(row);
    this.#unfolding = this.#owned.add(
      new RowReveal<RowElement>({
        view,
        tree,
        clock,
        logger,
        options: { select: false, focus: false, expand: true },
        isRevealed: (row) => tree.isUnfolded(row),
        isDrawn,
        trust: (row) => tree.trustUnfolded(row),
      }),
    );
    this.#scrolling = this.#owned.add(
      new RowReveal<RowElement>({
        view,
        tree,
        clock,
        logger,
        options: { select: false, focus: false, expand: false },
        isRevealed: ({ key }) => key === this.#shown,
        isDrawn,
        trust: ({ key }) => {
          this.#shown = key;
        },
      }),
    );
    this.#owned.add(
      following.onDidChange((follow) => {
        const { current } = follow.state;
        // A follow also connects again when its connection moves.
        if (current.kind === 'connecting' && follow !== this.#follow && follow.by === 'person')
          this.#begin(follow);
        else if (follow === this.#follow && isFinal(current)) this.#scrollSoon();
      }),
    );
    this.#owned.add(
      executions.onDidChange((change) => {
        if (change.kind === 'nodeRuns' && this.#follow && isAbout(change, this.#follow.target))
          this.#scrollSoon();
      }),
    );
    this.#owned.add(
      selection.onDidChoose((chosen) => {
        this.#chosen = chosen;
        this.#isLed = false;
      }),
    );
    this.#owned.add(
      view.onDidCollapseElement(({ element }) => {
        if (element.key === this.#unfolded?.key) this.#unfolded = undefined;
      }),
    );
  }

  /** True while the view goes along with an execution that hasn't ended. */
  get isLeading(): boolean {
    const follow = this.#follow;
    if (!this.#isLed || follow === undefined || isFinal(follow.state.current)) return false;
    const execution = this.#elementOf(follow.target);
    return execution !== undefined && this.#tree.isUnfolded(execution);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #begin(follow: Follow): void {
    const { target } = follow;
    // Only its log is read.
    if (this.#deps.executions.find(target)?.status.isTerminal === true) return;
    // Scrolling to a row below the former one would unfold it again.
    this.#scrolling.cancel();
    this.#foldFormer(target);
    this.#follow = follow;
    this.#isLed = true;
    this.#shown = '';
    void this.#unfolding
      .reveal(() => this.#rowToUnfold(target))
      .then((unfolded) => {
        if (follow !== this.#follow) return;
        this.#unfolded = unfolded && this.#rowOf(target);
        if (unfolded !== undefined) this.#scrollSoon();
      });
  }

  /** The row is ours to fold again from here on: the editor may respond only after the next execution has begun. */
  #rowToUnfold(target: ExecutionTarget): TreeRow<WorkflowsElement> | undefined {
    const row = this.#rowOf(target);
    if (row !== undefined && !this.#tree.isUnfolded(row)) this.#unfolded = row;
    return row;
  }

  #foldFormer(next: ExecutionTarget): void {
    const target = this.#follow?.target;
    const row = this.#unfolded;
    if (target === undefined || executionName(target) === executionName(next)) return;
    this.#unfolded = undefined;
    const isOfFormer = (each: RowElement): boolean => isAt(each, target);
    // The user reads it.
    if (row === undefined || this.#chosen.some(isOfFormer)) return;
    this.#tree.fold(row);
    void this.#foldLate(row, isOfFormer);
  }

  /** Folds it again where the editor unfolds it late: on a slow machine it responds to a request after it has drawn the row folded. */
  async #foldLate(row: TreeRow<WorkflowsElement>, isOfRow: (each: RowElement) => boolean): Promise<void> {
    await Promise.all([this.#unfolding.settled(isOfRow), this.#scrolling.settled(isOfRow)]);
    const target = this.#follow?.target;
    const isFollowed = target !== undefined && this.#rowOf(target)?.key === row.key;
    if (this.#tree.isUnfolded(row) && !isFollowed && !this.#chosen.some(isOfRow)) this.#tree.fold(row);
  }

  #rowOf(target: ExecutionTarget): TreeRow<WorkflowsElement> | undefined {
    const element = this.#elementOf(target);
    return element && this.#tree.intern(element);
  }

  #elementOf({ connectionId, executionId }: ExecutionTarget): ExecutionElement | undefined {
    const { workflows, executions } = this.#deps;
    const workflowId = executions.find({ connectionId, executionId })?.workflowId ?? null;
    if (workflowId === null || workflows.state.current.connectionId !== connectionId) return undefined;
    return executionElement(connectionId, workflowId, executionId);
  }

  #scrollSoon(): void {
    if (this.#isLed) this.#scrollPulse.ask();
  }

  /** Returns undefined if the row is shown already, or if the view is the user's. */
  #rowToShow(): TreeRow<WorkflowsElement> | undefined {
    const target = this.#follow?.target;
    const execution = target && this.#elementOf(target);
    if (target === undefined || execution === undefined || !this.#isLed) return undefined;
    // The user folded it.
    if (!this.#tree.isUnfolded(execution)) return undefined;
    const { executions } = this.#deps;
    const tree = executions.logs(target).runTree;
    const item = rowToShow(tree, executions.find(target)?.status.state === 'failed');
    const row = item && this.#tree.intern(elementInTree(tree, execution, item));
    return row?.key === this.#shown ? undefined : row;
  }
}
