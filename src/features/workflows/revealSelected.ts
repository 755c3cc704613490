// Selects in the Workflows view the row of the node that was selected in the graph or in a definition.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { executionName } from '../../domain/targets.ts';
import type { RowSelection } from '../../editor/tree/rowSelection.ts';
import type { ListTree } from '../../editor/tree/tree.ts';
import type { TreeRow, RowElement } from '../../editor/tree/treeElements.ts';
import { isFinal } from '../../model/executions/following.ts';
import type { RunTreeItem } from '../../model/runs/runItems.ts';
import type { RunTree } from '../../model/runs/runTree.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import { findShownId } from '../../model/selection/shownExecution.ts';
import type { App } from '../../ui/app.ts';
import { RowReveal } from './rowReveal.ts';
import type { WorkflowsElement } from './workflowsTree.ts';
import { type ExecutionElement, elementInTree, executionElement } from '../../ui/rows/executionElements.ts';

export interface RevealSelectedDeps extends Pick<
  App,
  'clock' | 'executions' | 'following' | 'logger' | 'selection'
> {
  readonly rowSelection: Pick<RowSelection, 'visible' | 'has' | 'reveal'>;
  readonly tree: Pick<ListTree<WorkflowsElement>, 'inSight' | 'hold'>;
  /** True while the view goes along with a followed execution. */
  readonly isLed: () => boolean;
}

/** The item and those around it. */
function* outwards(tree: RunTree, item: RunTreeItem | undefined): Generator<RunTreeItem> {
  for (let each = item; each !== undefined; each = tree.parentOf(each)) yield each;
}

function isBelow(row: TreeRow<WorkflowsElement>, execution: ExecutionElement): boolean {
  return (
    (row.kind === 'nodeRun' || row.kind === 'iterations') && executionName(row) === executionName(execution)
  );
}

/** Selects only a row that is there: unfolds none, and doesn't scroll while the view is led. */
export class SelectedRow implements Disposable {
  readonly #deps: RevealSelectedDeps;
  readonly #owned = new DisposableStore();
  readonly #selecting: RowReveal<RowElement>;
  /** Something was selected while the view was led. */
  #isLate = false;

  constructor(deps: RevealSelectedDeps) {
    this.#deps = deps;
    const { clock, logger, following, rowSelection, tree } = deps;
    this.#selecting = this.#owned.add(
      new RowReveal<RowElement>({
        view: rowSelection,
        tree,
        clock,
        logger,
        options: { select: true, focus: false, expand: false },
        isRevealed: (row) => rowSelection.has(row),
      }),
    );
    this.#owned.add(deps.selection.node.onDidChange(() => this.#select()));
    this.#owned.add(
      following.onDidChange(({ state }) => {
        if (this.#isLate && isFinal(state.current)) this.#select();
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #select(): void {
    this.#isLate = this.#deps.isLed();
    void this.#selecting.reveal(() => this.#row());
  }

  /** undefined: the selection is the tree's own, or its row isn't there. */
  #row(): TreeRow<WorkflowsElement> | undefined {
    const { selection, isLed } = this.#deps;
    const { current } = selection.node;
    if (current?.by !== 'graph' && current?.by !== 'definition') return undefined;
    const { nodeId, nodeRunKey } = current;
    const execution = this.#executionOf(current);
    if (nodeId === null || execution === undefined || isLed()) return undefined;
    return this.#rowBelow(execution, nodeId, nodeRunKey);
  }

  /** The execution that the graph shows. */
  #executionOf({ target }: NodeSelection): ExecutionElement | undefined {
    const id = findShownId(this.#deps, target, 'graph');
    return id === undefined ? undefined : executionElement(target.connectionId, target.workflowId, id);
  }

  /** The row of the run; else the node's first one, unless a run was selected; else that of the iteration or the loop around the run. */
  #rowBelow(
    execution: ExecutionElement,
    nodeId: string,
    nodeRunKey: string | null,
  ): TreeRow<WorkflowsElement> | undefined {
    const { executions, tree } = this.#deps;
    const rows = new Map(tree.inSight.filter((row) => isBelow(row, execution)).map((row) => [row.key, row]));
    if (rows.size === 0) return undefined;
    const { runTree } = executions.logs(execution);
    const isOfNode = (row: TreeRow<WorkflowsElement>): boolean => {
      const item = row.kind === 'nodeRun' ? runTree.findRun(row.nodeRunKey) : undefined;
      return item?.run.nodeId === nodeId;
    };
    const selected = nodeRunKey === null ? undefined : runTree.find(nodeRunKey);
    const run = selected ?? this.#shownRun(execution, nodeId);
    const [own, ...around] = [...outwards(runTree, run)].map((item) =>
      rows.get(elementInTree(runTree, execution, item).key),
    );
    const first = selected === undefined ? [...rows.values()].find(isOfNode) : undefined;
    return own ?? first ?? around.find((row) => row !== undefined);
  }

  /** The run in the selected iterations. */
  #shownRun(execution: ExecutionElement, nodeId: string): RunTreeItem | undefined {
    const { executions, selection } = this.#deps;
    const { runTree } = executions.logs(execution);
    const node = runTree.select(selection.findIterations(execution)).get(nodeId);
    const run = node?.run ?? node?.iterations[0];
    return run && runTree.find(run.key);
  }
}
