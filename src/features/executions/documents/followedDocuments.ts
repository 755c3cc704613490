// Log and timeline documents, with outline, folding and links for their node runs.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { schemes } from '../../../editor/ids.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { untoldExecution } from '../../../model/executions/executionRecord.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { describeState } from '../../../ui/words/nodeState.ts';
import { renderNodeName } from '../../../ui/words/renderLogLine.ts';
import { nodeRunUri } from '../commands/openNodeRun.ts';

/** A snapshot of an execution, for the text of its log or timeline. */
export interface RunFacts {
  readonly execution: Execution;
  readonly rows: readonly NodeLog[];
  readonly nodeRuns: readonly NodeRun[];
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

interface Given {
  readonly execution: Execution;
  readonly nodeRuns: readonly NodeRun[];
  readonly rowCount: number;
  readonly view: object | undefined;
  readonly rendered: RenderedRuns;
}

/** How a document's text is made. */
export interface RunRendering {
  /** Makes the text; also when only the view has changed. */
  readonly render: (facts: RunFacts) => RenderedRuns | Promise<RenderedRuns>;
  /** What of the execution is shown, if that can be chosen. */
  readonly view?: object;
}

/** The texts of log and timeline documents, which grow while the execution is running. */
export class FollowedDocuments implements Disposable {
  readonly #deps: Pick<App, 'executions' | 'following'>;
  /** By document URI. */
  readonly #given = new Map<string, Given>();
  /** The feeds of the documents, which must not be dropped while they're open. */
  readonly #kept = new Map<string, Disposable>();
  /** Counts the readings, so that an earlier one that ends later doesn't replace what a later one gave. */
  #readings = 0;
  readonly #latest = new Map<string, number>();
  readonly #subscription: Disposable;

  constructor(deps: Pick<App, 'executions' | 'following'>) {
    this.#deps = deps;
    this.#subscription = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      this.#forget(uri.toString());
    });
  }

  /** Returns the text for the known node logs. The first call starts to follow an execution that's still running. */
  async read(
    uri: vscode.Uri,
    target: ExecutionTarget,
    { render, view }: RunRendering,
    signal: AbortSignal,
  ): Promise<string> {
    const { executions } = this.#deps;
    const key = uri.toString();
    if (!this.#given.has(key)) await this.#begin(target, signal);
    const { rows, nodeRuns, count } = executions.logs(target);
    const earlier = this.#given.get(key);
    const execution = executions.find(target) ?? earlier?.execution ?? untoldExecution(target.executionId);
    // Each log of a node replaces the node runs; those of the execution itself only add to the rows.
    const isSame =
      earlier?.execution === execution &&
      earlier.nodeRuns === nodeRuns &&
      earlier.rowCount === count &&
      earlier.view === view;
    if (isSame) return earlier.rendered.text;
    const reading = (this.#readings += 1);
    const rendered = await render({ execution, rows, nodeRuns });
    signal.throwIfAborted();
    this.#give(key, reading, { execution, nodeRuns, rowCount: count, view, rendered });
    if (!this.#kept.has(key)) this.#kept.set(key, executions.keepLogs(target));
    return rendered.text;
  }

  /** Returns the last text that was provided for an open document. */
  find({ uri }: vscode.TextDocument): RenderedRuns | undefined {
    return this.#given.get(uri.toString())?.rendered;
  }

  /** Returns the node run that the line belongs to, or else the one above it. */
  findRun(document: vscode.TextDocument, line: number): NodeRun | undefined {
    return this.find(document)?.sections.findLast(({ firstLine }) => firstLine <= line)?.run;
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const key of [...this.#kept.keys()]) this.#forget(key);
    this.#given.clear();
  }

  #give(key: string, reading: number, given: Given): void {
    if (reading < (this.#latest.get(key) ?? 0)) return;
    this.#latest.set(key, reading);
    this.#given.set(key, given);
  }

  #forget(key: string): void {
    this.#given.delete(key);
    this.#latest.delete(key);
    this.#kept.get(key)?.dispose();
    this.#kept.delete(key);
  }

  async #begin(target: ExecutionTarget, signal: AbortSignal): Promise<void> {
    const { executions, following } = this.#deps;
    const execution = await ifOffered(executions.get(target, signal));
    if (execution !== undefined && !execution.status.isTerminal) following.follow(target);
    else if ((await executions.readLogs(target, signal)).reading.kind === 'part') following.follow(target);
  }
}

function symbolOf({ run, firstLine, lastLine }: RunSection, document: vscode.TextDocument) {
  const first = document.lineAt(firstLine).range;
  return new vscode.DocumentSymbol(
    renderNodeName(run),
    describeState(run),
    vscode.SymbolKind.Event,
    first.union(document.lineAt(lastLine).range),
    first,
  );
}

/** One symbol per run, at its first section. */
function outline(sections: readonly RunSection[], document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const seen = new Set<string>();
  return sections.flatMap((section) => {
    if (seen.has(section.run.key)) return [];
    seen.add(section.run.key);
    return [symbolOf(section, document)];
  });
}

/** Links lead only to the extension's own documents, never to URIs from the service. Their targets are made when they're followed, as a log may have thousands. */
class RunLinks implements vscode.DocumentLinkProvider {
  readonly #sectionsOf: (document: vscode.TextDocument) => readonly RunSection[];
  readonly #connections: Connections;
  readonly #targets = new WeakMap<vscode.DocumentLink, () => vscode.Uri>();

  constructor(
    sectionsOf: (document: vscode.TextDocument) => readonly RunSection[],
    connections: Connections,
  ) {
    this.#sectionsOf = sectionsOf;
    this.#connections = connections;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const address = executionAddress(document.uri);
    if (address === undefined) return [];
    return this.#sectionsOf(document).map(({ run, firstLine, link: [begin, end] }) => {
      const link = new vscode.DocumentLink(new vscode.Range(firstLine, begin, firstLine, end));
      link.tooltip = vscode.l10n.t('Open Node Run');
      this.#targets.set(link, () => nodeRunUri(this.#connections, address.target, run));
      return link;
    });
  }

  resolveDocumentLink(link: vscode.DocumentLink): vscode.DocumentLink {
    const target = this.#targets.get(link)?.();
    if (target !== undefined) link.target = target;
    return link;
  }
}

export function registerRunOutline(followed: FollowedDocuments, connections: Connections): Disposable {
  const selector = ['log', 'workflow-timeline'].map((language) => ({ scheme: schemes.execution, language }));
  /** Only the sections that the document already contains, because the rendered text may be newer than the document. */
  const sectionsOf = (document: vscode.TextDocument): readonly RunSection[] =>
    followed.find(document)?.sections.filter(({ lastLine }) => lastLine < document.lineCount) ?? [];
  const owned = new DisposableStore();
  owned.add(
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => outline(sectionsOf(document), document),
    }),
  );
  owned.add(
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) =>
        sectionsOf(document)
          .filter(({ firstLine, lastLine }) => lastLine > firstLine)
          .map(({ firstLine, lastLine }) => new vscode.FoldingRange(firstLine, lastLine)),
    }),
  );
  owned.add(vscode.languages.registerDocumentLinkProvider(selector, new RunLinks(sectionsOf, connections)));
  return owned;
}
