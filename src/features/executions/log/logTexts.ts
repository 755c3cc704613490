import type { Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import { FollowedSource } from '../documents/followedSource.ts';
import { type LogView, LogViews } from './logView.ts';
import { LogWindows } from './logWindow.ts';
import { type RenderedLog, renderLog } from './renderLog.ts';

/** The texts of logs, as their views show them. */
export class LogTexts implements Disposable {
  readonly views = new LogViews();
  /** Makes the documents, and has the last text of each that is open. */
  readonly source: FollowedSource<RenderedLog>;
  readonly #executions: App['executions'];
  readonly #windows = new LogWindows();

  constructor(deps: Pick<App, 'executions' | 'following'>) {
    this.#executions = deps.executions;
    this.source = new FollowedSource(deps, {
      render: (target, { execution }, signal) => this.render(target, execution, signal),
      views: this.views,
    });
  }

  async render(target: ExecutionTarget, execution: Execution, signal: AbortSignal): Promise<RenderedLog> {
    const feed = this.#executions.logs(target);
    const read = await this.#windows.read(feed, this.views.get(target), signal);
    return renderLog({ execution, ...read, runOf: (line) => feed.nodeRunOf(line) });
  }

  get onDidRender(): Event<ExecutionTarget> {
    return this.source.onDidRender;
  }

  /** Returns the last text of an open document; with a view, only if it shows that view. */
  find(target: ExecutionTarget, view?: LogView): RenderedLog | undefined {
    return this.source.find(target, view);
  }

  dispose(): void {
    this.source.dispose();
    this.views.dispose();
  }
}
