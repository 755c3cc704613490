import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import { type ExecutionChange, isAbout } from '../../../model/executions/connectionExecutions.ts';
import { emptyExecution, type Execution } from '../../../domain/execution.ts';
import type { ExecutionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { describeState } from '../../../words/nodeState.ts';
import { renderNodeName } from '../../../words/renderLogLine.ts';
import {
  type DocumentSource,
  type ExecutionDocument,
  isDocumentOf,
  type NodeRunTarget,
} from './documentSource.ts';
import type { Section } from './sections.ts';

/** A snapshot of an execution, for the text of its log or timeline. */
export interface RunFacts {
  readonly execution: Execution;
  /** The newest ones. */
  readonly rows: readonly NodeLog[];
  readonly nodeRuns: readonly NodeRun[];
  /** How many node runs are gone, to save memory. */
  readonly goneRuns: number;
}

/** Adjacent lines of one node run. Both ends are 0-based and inclusive. */
export interface RunSection {
  readonly run: NodeRun;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Where the link to the node run begins and ends on the first line. */
  readonly link: readonly [begin: number, end: number];
}

export interface RenderedRuns {
  readonly text: string;
  /** In text order. A run has several sections if nodes ran in parallel. */
  readonly sections: readonly RunSection[];
}

/** How a text is made. */
export interface RunRendering<T extends RenderedRuns> {
  /** Makes the text; also when only the view has changed. */
  readonly render: (target: ExecutionTarget, facts: RunFacts, signal: AbortSignal) => T | Promise<T>;
  /** What of the executions is shown, if that can be selected. */
  readonly views?: {
    readonly get: (target: ExecutionTarget) => object;
    readonly onDidChange: Event<ExecutionTarget>;
    readonly forget: (target: ExecutionTarget) => void;
  };
}

interface Made<T> {
  readonly execution: Execution;
  readonly nodeRuns: readonly NodeRun[];
  readonly rowCount: number;
  readonly view: object | undefined;
  readonly rendered: T;
  /** Readings are counted, so that an earlier one that ends later doesn't replace what a later one gave. */
  readonly reading: number;
}

/** What is kept of an execution from the first reading of its document until that is closed. */
interface Opened<T> {
  /** Its feed, which must not be dropped. */
  readonly feed: Disposable;
  /** The last text that was provided. */
  made: Made<T> | undefined;
  /** How many readings are under way. */
  readings: number;
}

/** The texts of one part that grows while its execution is running. */
export class FollowedSource<T extends RenderedRuns> implements DocumentSource, Disposable {
  readonly #deps: Pick<App, 'executions' | 'following'>;
  readonly #rendering: RunRendering<T>;
  /** By execution. */
  readonly #opened = new Map<string, Opened<T>>();
  readonly #renders = new Emitter<ExecutionTarget>();
  /** Fires when a text was made, also one that equals the text before. */
  readonly onDidRender = this.#renders.event;
  /** Fires when the view of an execution changes. */
  readonly onDidChange: Event<ExecutionTarget> | undefined;
  #readings = 0;

  constructor(deps: Pick<App, 'executions' | 'following'>, rendering: RunRendering<T>) {
    this.#deps = deps;
    this.#rendering = rendering;
    this.onDidChange = rendering.views?.onDidChange;
  }

  /** Returns the text for the known node logs. The first call starts to follow an execution that's still running. */
  async read({ address: { target } }: ExecutionDocument, signal: AbortSignal): Promise<string> {
    const name = executionName(target);
    const opened = this.#opened.get(name) ?? this.#open(target);
    opened.readings += 1;
    try {
      if (opened.made === undefined) await this.#begin(target, signal);
      return await this.#make(target, opened, signal);
    } finally {
      opened.readings -= 1;
      if (opened.readings === 0 && opened.made === undefined) this.#close(name, opened);
    }
  }

  isTouched({ target }: ExecutionAddress, change: ExecutionChange): boolean {
    return isAbout(change, target);
  }

  /** Returns what was made last of an execution whose document is open; with a view, only if it shows that view. */
  find(target: ExecutionTarget, view?: object): T | undefined {
    const made = this.#opened.get(executionName(target))?.made;
    return view === undefined || made?.view === view ? made?.rendered : undefined;
  }

  sectionsOf(
    document: Pick<vscode.TextDocument, 'lineCount'>,
    { target }: ExecutionAddress,
  ): readonly Section[] {
    const sections = this.find(target)?.sections ?? [];
    return toSections(sections.filter(({ lastLine }) => lastLine < document.lineCount));
  }

  /** Returns the node run that the line belongs to, or else the one above it. */
  findRun({ address: { target } }: ExecutionDocument, line: number): NodeRunTarget | undefined {
    const section = this.find(target)?.sections.findLast(({ firstLine }) => firstLine <= line);
    return section && { ...target, nodeRunKey: section.run.key };
  }

  forget({ address: { part, target } }: ExecutionDocument): void {
    // Its workflow's name is part of a document's URI, so there may be two.
    if (vscode.workspace.textDocuments.some(({ uri }) => isDocumentOf(uri, part, target))) return;
    const opened = this.#opened.get(executionName(target));
    if (opened !== undefined) this.#close(executionName(target), opened);
    this.#rendering.views?.forget(target);
  }

  dispose(): void {
    for (const [name, opened] of [...this.#opened]) this.#close(name, opened);
    this.#renders.dispose();
  }

  #open(target: ExecutionTarget): Opened<T> {
    const opened = { feed: this.#deps.executions.keepLogs(target), made: undefined, readings: 0 };
    this.#opened.set(executionName(target), opened);
    return opened;
  }

  #close(name: string, opened: Opened<T>): void {
    opened.feed.dispose();
    // A document that was opened again has another.
    if (this.#opened.get(name) === opened) this.#opened.delete(name);
  }

  async #make(target: ExecutionTarget, opened: Opened<T>, signal: AbortSignal): Promise<string> {
    const { executions } = this.#deps;
    const feed = executions.logs(target);
    const { nodeRuns, goneRuns, count } = feed;
    const earlier = opened.made;
    const execution = executions.find(target) ?? earlier?.execution ?? emptyExecution(target.executionId);
    const view = this.#rendering.views?.get(target);
    // Each log of a node replaces the node runs; those of the execution itself only add to the rows.
    const isSame =
      earlier?.execution === execution &&
      earlier.nodeRuns === nodeRuns &&
      earlier.rowCount === count &&
      earlier.view === view;
    if (isSame) return earlier.rendered.text;
    const reading = (this.#readings += 1);
    const facts = {
      execution,
      nodeRuns,
      goneRuns,
      get rows() {
        return feed.rows;
      },
    };
    const rendered = await this.#rendering.render(target, facts, signal);
    signal.throwIfAborted();
    if (reading > (opened.made?.reading ?? 0)) {
      opened.made = { execution, nodeRuns, rowCount: count, view, rendered, reading };
      this.#renders.fire(target);
    }
    return rendered.text;
  }

  async #begin(target: ExecutionTarget, signal: AbortSignal): Promise<void> {
    const { executions, following } = this.#deps;
    const execution = await ifOffered(executions.get(target, signal));
    if (execution !== undefined && !execution.status.isTerminal) following.follow(target);
    else if ((await executions.readLogs(target, signal)).reading.kind === 'part') following.follow(target);
  }
}

/** A run is listed once, with its first section. */
function toSections(sections: readonly RunSection[]): readonly Section[] {
  const seen = new Set<string>();
  return sections.map(({ run, firstLine, lastLine, link: [begin, end] }) => {
    const isListed = seen.has(run.key);
    seen.add(run.key);
    const entry = () => ({
      title: renderNodeName(run),
      detail: describeState(run),
      kind: vscode.SymbolKind.Event,
    });
    return { firstLine, lastLine, entry: isListed ? null : entry, link: { run, begin, end } };
  });
}
