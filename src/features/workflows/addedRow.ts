import type * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { wait } from '../../base/time.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { ListTree } from '../../editor/tree.ts';
import type { RowElement } from '../../editor/treeElements.ts';
import type { App } from '../../ui/app.ts';
import { workflowElement } from './workflowRow.ts';
import type { WorkflowsElement } from './workflowsTree.ts';

export interface AddedRowDeps extends Pick<App, 'clock' | 'logger'> {
  readonly view: Pick<vscode.TreeView<RowElement>, 'visible' | 'reveal' | 'selection'>;
  readonly tree: Pick<ListTree<WorkflowsElement>, 'intern'>;
}

/** Milliseconds before each attempt: the editor ignores a request for a row that isn't drawn yet. */
const pauses: readonly number[] = [0, 100, 200, 400, 800, 1_600];

/** Scrolls to the row of a workflow that the user added, and selects it. */
export class AddedRow implements Disposable {
  readonly #deps: AddedRowDeps;
  #attempt = new AbortController();

  constructor(deps: AddedRowDeps) {
    this.#deps = deps;
  }

  /** Call once the workflow is listed. Replaces an attempt that is under way. Does nothing while the view is hidden. */
  show(target: WorkflowTarget): void {
    this.#attempt.abort();
    this.#attempt = new AbortController();
    this.#show(target, this.#attempt.signal).catch((error: unknown) => {
      if (!isAbortError(error)) this.#deps.logger.error('An added row could not be shown.', error);
    });
  }

  dispose(): void {
    this.#attempt.abort();
  }

  async #show({ connectionId, workflowId }: WorkflowTarget, signal: AbortSignal): Promise<void> {
    const { view, tree, clock, logger } = this.#deps;
    const row = tree.intern(workflowElement(connectionId, workflowId));
    for (const pause of pauses) {
      await wait(clock, pause, signal);
      if (!view.visible || view.selection.some(({ key }) => key === row.key)) return;
      try {
        await view.reveal(row, { select: true, focus: false });
      } catch (error) {
        // The tree doesn't list it yet, or a filter hides it.
        logger.debug(`An added row can't be revealed: ${String(error)}`);
      }
    }
  }
}
