// The view that holds the page: lives as long as the view is resolved; the page comes and goes with its visibility.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ExecutionTarget, targetName } from '../../domain/targets.ts';
import type { App } from '../../ui/app.ts';
import type { NodeSelection } from '../../model/selection/selection.ts';
import {
  decodeFromPage,
  type GraphSubject,
  type PageAction,
  type ToPage,
} from '../../webview/graph/messages.ts';
import { renderPage } from './renderPage.ts';
import { ShownWorkflow, type ShownWorkflowDeps } from './shownWorkflow.ts';

export type GraphViewDeps = ShownWorkflowDeps & Pick<App, 'commands' | 'connections' | 'extensionFolder'>;

type ActionOnExecution = Exclude<PageAction, { readonly kind: 'select' | 'showLatest' }>;

function toSubject({ target, executionId, nodeId, nodeRunKey }: NodeSelection): GraphSubject {
  return { ...target, executionId, nodeId, nodeRunKey };
}

export class GraphView implements Disposable {
  readonly #deps: GraphViewDeps;
  readonly #view: vscode.WebviewView;
  readonly #owned = new DisposableStore();
  /** What the page shows; undefined while there is no page, or nothing to show. */
  #shown: ShownWorkflow | undefined;
  #hasPage = false;

  constructor(deps: GraphViewDeps, view: vscode.WebviewView) {
    this.#deps = deps;
    this.#view = view;
    const { webview } = view;
    this.#owned.add(webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    this.#owned.add(
      view.onDidChangeVisibility(() => {
        // A hidden page is thrown away, and says that it's ready when it's loaded again.
        if (!view.visible) this.#forgetPage();
      }),
    );
    this.#owned.add(deps.selection.node.onDidChange(() => this.#show()));
    this.#owned.add(deps.connections.all.onDidChange(() => this.#show()));
    this.#load(webview);
  }

  dispose(): void {
    this.#forgetPage();
    this.#owned.dispose();
  }

  #load(webview: vscode.Webview): void {
    const { extensionFolder } = this.#deps;
    const folders = ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionFolder, name));
    const addressOf = (...path: readonly string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(extensionFolder, ...path)).toString();
    webview.options = { enableScripts: true, localResourceRoots: folders };
    webview.html = renderPage({
      script: addressOf('dist', 'graph.js'),
      style: addressOf('media', 'graph.css'),
      cspSource: webview.cspSource,
      nonce: crypto.randomUUID(),
      language: vscode.env.language,
    });
  }

  #forgetPage(): void {
    this.#hasPage = false;
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  #receive(value: unknown): void {
    const message = decodeFromPage(value);
    if (message === undefined) this.#deps.logger.warn('The page of the graph sent an unknown message.');
    else if (message.kind === 'ready') this.#begin(message.subject);
    else if (this.#isShown(message.shown)) this.#carryOut(message.action);
  }

  /** A page that was loaded again shows what it did before, unless something was selected meanwhile. */
  #begin(subject: GraphSubject | null): void {
    this.#forgetPage();
    this.#hasPage = true;
    const { connections, selection } = this.#deps;
    if (selection.node.current === null && subject !== null && connections.find(subject.connectionId)) {
      const { connectionId, workflowId, ...rest } = subject;
      selection.selectNode({ target: { connectionId, workflowId }, ...rest, by: 'graph' });
    }
    this.#show();
  }

  #show(): void {
    if (!this.#hasPage) return;
    const { connections, selection } = this.#deps;
    const { current } = selection.node;
    if (current === null || connections.find(current.target.connectionId) === undefined) {
      this.#shown?.dispose();
      this.#shown = undefined;
      this.#view.description = '';
      this.#post({
        kind: 'nothing',
        text: vscode.l10n.t('Select a workflow or an execution to see its graph.'),
      });
      return;
    }
    if (this.#shown?.isOf(current.target) === true) this.#shown.select(toSubject(current));
    else {
      this.#shown?.dispose();
      const shown = new ShownWorkflow(this.#deps, toSubject(current), (message) => this.#post(message));
      this.#shown = shown;
      const describe = (name: string): void => {
        this.#view.description = name;
      };
      shown.name.onDidChange(describe);
      describe(shown.name.current);
    }
  }

  #post(message: ToPage): void {
    if (this.#hasPage) void this.#view.webview.postMessage(message);
  }

  /** False for what was selected before: nothing is done with another workflow or execution than the one that the user saw. */
  #isShown({ connectionId, workflowId, executionId }: Omit<GraphSubject, 'nodeId' | 'nodeRunKey'>): boolean {
    const { current } = this.#deps.selection.node;
    if (current?.executionId !== executionId) return false;
    return targetName(current.target) === targetName({ connectionId, workflowId });
  }

  #carryOut(action: PageAction): void {
    const { commands, selection } = this.#deps;
    const { current } = selection.node;
    if (current === null || this.#shown === undefined) return;
    const { execution } = this.#shown;
    switch (action.kind) {
      case 'select': {
        const { nodeId, nodeRunKey } = action;
        selection.selectNode({ ...current, nodeId, nodeRunKey, by: 'graph' });
        break;
      }
      case 'showLatest':
        selection.selectNode({ ...current, executionId: null, nodeRunKey: null, by: 'graph' });
        void commands.run('workflow.showLatestExecution', { ...current.target, invokedBy: 'person' });
        break;
      default:
        if (execution !== null) this.#carryOutOn(execution, action);
        else if (action.kind === 'reveal')
          void commands.run('workflow.open', {
            ...current.target,
            nodeId: action.nodeId,
            invokedBy: 'person',
          });
    }
  }

  #carryOutOn(execution: ExecutionTarget, action: ActionOnExecution): void {
    const { commands } = this.#deps;
    const target = { ...execution, invokedBy: 'person' } as const;
    switch (action.kind) {
      case 'open': {
        const { nodeId, nodeRunKey } = action;
        void commands.run('nodeRun.open', {
          ...target,
          ...(nodeRunKey === null ? { nodeId } : { nodeRunKey }),
        });
        break;
      }
      case 'reveal':
        void commands.run('nodeRun.revealInDefinition', { ...target, nodeId: action.nodeId });
        break;
      case 'retry':
        if (action.nodeId === null) void commands.run('execution.retry', target);
        else if (this.#shown?.hasRun(action.nodeId) === true)
          void commands.run('nodeRun.retry', { ...target, nodeId: action.nodeId });
        break;
      case 'debug':
        void commands.run('execution.debug', target);
    }
  }
}
