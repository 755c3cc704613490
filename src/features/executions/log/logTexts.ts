import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import type { Execution } from '../../../domain/execution.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import { type RenderedLog, renderLog } from '../documents/renderLog.ts';
import { type LogView, LogViews } from './logView.ts';
import { FilteredLog, readLogWindow } from './logWindow.ts';

/** The texts of logs, as their views show them. */
export class LogTexts implements Disposable {
  readonly views = new LogViews();
  readonly #renders = new Emitter<ExecutionTarget>();
  /** Fires when a text was made, also one that equals the text before. */
  readonly onDidRender = this.#renders.event;
  readonly #executions: App['executions'];
  /** By execution: what was found for the view that has a filter. */
  readonly #filtered = new Map<string, FilteredLog>();
  /** The last text of each log that is open. */
  readonly #latest = new Map<string, { readonly view: LogView; readonly rendered: RenderedLog }>();

  constructor({ executions }: Pick<App, 'executions'>) {
    this.#executions = executions;
  }

  async render(target: ExecutionTarget, execution: Execution, signal: AbortSignal): Promise<RenderedLog> {
    const name = executionName(target);
    const feed = this.#executions.logs(target);
    const view = this.views.get(target);
    const known = this.#filtered.get(name);
    const filtered = known?.isOf(view) === true ? known : new FilteredLog(view);
    this.#filtered.set(name, filtered);
    const read = await readLogWindow(feed, view, filtered, signal);
    const findRun = (key: string) => feed.findNodeRun(key);
    const rendered = renderLog({ execution, ...read, findRun });
    if (this.views.get(target) === view) {
      this.#latest.set(name, { view, rendered });
      this.#renders.fire(target);
    }
    return rendered;
  }

  /** The last text; with a view, only if it shows that view. */
  find(target: ExecutionTarget, view?: LogView): RenderedLog | undefined {
    const latest = this.#latest.get(executionName(target));
    return view === undefined || latest?.view === view ? latest?.rendered : undefined;
  }

  /** Forgets the log of a document that was closed. */
  forget(target: ExecutionTarget): void {
    const name = executionName(target);
    this.views.forget(target);
    this.#filtered.delete(name);
    this.#latest.delete(name);
  }

  dispose(): void {
    this.views.dispose();
    this.#renders.dispose();
  }
}
