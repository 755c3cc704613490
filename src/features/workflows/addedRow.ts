import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { ListTree } from '../../editor/tree/tree.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import type { App } from '../../ui/app.ts';
import { RowReveal } from './rowReveal.ts';
import { workflowElement } from './workflowRow.ts';
import type { WorkflowsElement } from './workflowsTree.ts';

export interface AddedRowDeps extends Pick<App, 'clock' | 'logger'> {
  readonly view: Pick<vscode.TreeView<RowElement>, 'visible' | 'reveal' | 'selection'>;
  readonly tree: Pick<ListTree<WorkflowsElement>, 'intern' | 'hold'>;
}

/** Scrolls to the row of a workflow that the user added, and selects it. */
export class AddedRow implements Disposable {
  readonly #tree: AddedRowDeps['tree'];
  readonly #selecting: RowReveal<RowElement>;

  constructor({ view, tree, clock, logger }: AddedRowDeps) {
    this.#tree = tree;
    this.#selecting = new RowReveal<RowElement>({
      view,
      tree,
      clock,
      logger,
      options: { select: true, focus: false },
      isRevealed: (row) => view.selection.some(({ key }) => key === row.key),
    });
  }

  /** Call once the workflow is listed. Replaces an attempt that is under way. Does nothing while the view is hidden. */
  show({ connectionId, workflowId }: WorkflowTarget): void {
    void this.#selecting.reveal(() => this.#tree.intern(workflowElement(connectionId, workflowId)));
  }

  dispose(): void {
    this.#selecting.dispose();
  }
}
