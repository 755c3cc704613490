// The documents that say how the executions of a workflow usually go.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { commandUri } from '../../../editor/commands.ts';
import { findDocument, withSignal } from '../../../editor/documents/documents.ts';
import { schemes } from '../../../editor/ids.ts';
import { WorkflowStatistics } from '../../../model/statistics/workflowStatistics.ts';
import { requireAddress, statisticsTarget } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { describeError, toUserError } from '../../../ui/words/describeError.ts';
import { workflowName } from '../../../words/names.ts';
import { renderStatistics, type RenderedStatistics, type StatisticsLink } from './renderStatistics.ts';

type StatisticsDeps = Pick<App, 'clock' | 'executions' | 'workflows'>;

/** What is kept of a document from its first reading until it's closed. */
interface Opened {
  readonly statistics: WorkflowStatistics;
  rendered: RenderedStatistics;
}

export class StatisticsDocuments
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, Disposable
{
  readonly #deps: StatisticsDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;
  readonly #opened = new Map<string, Opened>();

  constructor(deps: StatisticsDeps) {
    this.#deps = deps;
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#owned.add(vscode.languages.registerDocumentLinkProvider({ scheme: schemes.statistics }, this));
  }

  /** Returns what is known. The first call reads the executions, and begins to read their nodes. */
  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    try {
      const opened =
        this.#opened.get(uri.toString()) ?? (await withSignal(token, (signal) => this.#open(uri, signal)));
      opened.rendered = this.#render(opened.statistics);
      return opened.rendered.text;
    } catch (error) {
      throw toUserError(error);
    }
  }

  provideDocumentLinks({ uri, lineCount }: vscode.TextDocument): vscode.DocumentLink[] {
    const target = statisticsTarget(uri);
    const links = this.#opened.get(uri.toString())?.rendered.links ?? [];
    if (target === undefined) return [];
    return links.filter(({ line }) => line < lineCount).map((link) => renderLink(target.connectionId, link));
  }

  /** Reads an open document anew. */
  refresh(uri: vscode.Uri): void {
    this.#forget(uri);
    this.#changes.fire(uri);
  }

  dispose(): void {
    for (const { statistics } of this.#opened.values()) statistics.dispose();
    this.#opened.clear();
    this.#owned.dispose();
  }

  async #open(uri: vscode.Uri, signal: AbortSignal): Promise<Opened> {
    const target = requireAddress(uri, statisticsTarget);
    const wasOpen = findDocument(uri) !== undefined;
    const statistics = await WorkflowStatistics.read(this.#deps.executions, target, signal);
    const opened = { statistics, rendered: this.#render(statistics) };
    this.#forget(uri);
    // It was closed meanwhile, so nobody would end the reading of its nodes.
    if (wasOpen && findDocument(uri) === undefined) {
      statistics.dispose();
      return opened;
    }
    this.#opened.set(uri.toString(), opened);
    statistics.nodes.onDidChange(() => this.#changes.fire(uri));
    void statistics.readNodes();
    return opened;
  }

  #render({ target, newest, nodes }: WorkflowStatistics): RenderedStatistics {
    const { clock, workflows } = this.#deps;
    const { error } = nodes.current;
    const reason = error === null ? undefined : describeError(error, clock.now()).message;
    const name = workflowName(workflows, target.connectionId, target.workflowId);
    return renderStatistics(name, newest, nodes.current, reason);
  }

  #forget(uri: vscode.Uri): void {
    this.#opened.get(uri.toString())?.statistics.dispose();
    this.#opened.delete(uri.toString());
  }
}

function renderLink(
  connectionId: string,
  { line, begin, end, executionId, nodeRunKey }: StatisticsLink,
): vscode.DocumentLink {
  const target = { connectionId, executionId };
  const range = new vscode.Range(line, begin, line, end);
  const link =
    nodeRunKey === undefined
      ? new vscode.DocumentLink(range, commandUri('execution.openTimeline', target))
      : new vscode.DocumentLink(range, commandUri('nodeRun.open', { ...target, nodeRunKey }));
  link.tooltip =
    nodeRunKey === undefined ? vscode.l10n.t('Open Execution Timeline') : vscode.l10n.t('Open Node Run');
  return link;
}
