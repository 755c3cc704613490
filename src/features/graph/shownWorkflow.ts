// Keeps the page on what one workflow shows, as long as somebody looks at it.
import * as vscode from 'vscode';
import { stringifyJson } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { Pulse } from '../../base/pulse.ts';
import { DefinitionText } from '../../definition/definitionText.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import type { AddedView } from '../../model/autoRefresh.ts';
import type { VisibleExecutions } from '../../model/executions/freshExecutions.ts';
import { type ShownExecution, ShownExecutionSource } from '../../model/selection/shownExecution.ts';
import type { RanDefinition } from '../../model/workflows/ranDefinitions.ts';
import type { App } from '../../ui/app.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { workflowName } from '../../words/names.ts';
import type { GraphSubject, ToPage } from '../../webview/graph/messages.ts';
import { readGraph, type WorkflowGraph } from './readGraph.ts';
import { renderPageTexts, renderRun } from './renderRun.ts';
import { RunDifference } from './runDifference.ts';
import { DefinitionSource } from './shownDefinition.ts';

export type ShownWorkflowDeps = Pick<
  App,
  | 'clock'
  | 'connectionTroubles'
  | 'definitionTargets'
  | 'definitionTexts'
  | 'executions'
  | 'following'
  | 'freshExecutions'
  | 'logger'
  | 'ranDefinitions'
  | 'selection'
  | 'services'
  | 'workflows'
>;

/** At most ten messages a second, and drawing takes at most a tenth of the time, however large an execution is. */
const pulse = { first: 100, pause: 100, backoff: { factor: 10 } };
/** Rows at the end of a log, which say up to when something is known. */
const lastRows = 50;

interface Sent {
  readonly structure: string;
  readonly run: RunDifference;
}

export class ShownWorkflow implements Disposable {
  readonly #deps: ShownWorkflowDeps;
  readonly #target: WorkflowTarget;
  readonly #post: (message: ToPage) => void;
  readonly #owned = new DisposableStore();
  readonly #name: ObservableValue<string>;
  readonly #definition: DefinitionSource;
  readonly #execution: ShownExecutionSource;
  readonly #view: AddedView;
  #subject: GraphSubject;
  #sent: Sent | undefined;
  /** What ran, as it was drawn last. */
  #ran: { readonly ran: RanDefinition; readonly definition: DefinitionText } | undefined;
  readonly #pulse: Pulse;

  constructor(deps: ShownWorkflowDeps, subject: GraphSubject, post: (message: ToPage) => void) {
    this.#deps = deps;
    const { connectionId, workflowId } = subject;
    this.#target = { connectionId, workflowId };
    this.#subject = subject;
    this.#post = post;
    this.#pulse = new Pulse(deps.clock, () => this.#draw(), pulse);
    this.#name = this.#owned.add(new ObservableValue(this.#findName()));
    this.#owned.add(this.#name.onDidChange(() => this.#pulse.ask()));
    this.#owned.add(deps.workflows.onDidChangeItems(() => this.#nameAgain()));
    this.#definition = this.#owned.add(new DefinitionSource(deps, this.#target));
    this.#execution = this.#owned.add(new ShownExecutionSource(deps, this.#target, 'graph'));
    this.#view = this.#owned.add(deps.freshExecutions.add(() => this.#visibleExecutions()));
    this.#owned.add(deps.selection.comparison.onDidChange(() => this.#pulse.ask()));
    this.#owned.add(deps.services.capabilities(connectionId).onDidChange(() => this.#pulse.ask()));
    this.#owned.add(this.#definition.shown.onDidChange(() => this.#pulse.ask()));
    this.#owned.add(
      deps.ranDefinitions.onDidLearn(({ executionId }) => {
        if (executionId === this.execution?.executionId) this.#pulse.ask();
      }),
    );
    this.#owned.add(this.#execution.shown.onDidChange(() => this.#pulse.ask()));
    this.#owned.add(vscode.window.onDidChangeWindowState(() => this.#attend()));
    this.#attend();
    this.#pulse.beat();
  }

  /** The workflow's name as it was known last, else its id. */
  get name(): Observable<string> {
    return this.#name;
  }

  get execution(): ExecutionTarget | null {
    const { current } = this.#execution.shown;
    return current.kind === 'execution' ? current.target : null;
  }

  /** False for a node that didn't run in the execution that is shown, whatever the page says. */
  hasRun(nodeId: string): boolean {
    const { current } = this.#execution.shown;
    return current.kind === 'execution' && current.runTree.summaries().has(nodeId);
  }

  isOf(target: WorkflowTarget): boolean {
    return targetName(this.#target) === targetName(target);
  }

  /** Shows another node or execution of the same workflow. */
  select(subject: GraphSubject): void {
    this.#subject = subject;
    if (this.#sent !== undefined) this.#post({ kind: 'select', subject });
  }

  dispose(): void {
    this.#pulse.dispose();
    this.#owned.dispose();
  }

  #visibleExecutions(): VisibleExecutions {
    const { execution } = this;
    return {
      connectionId: this.#target.connectionId,
      showsLatest: false,
      lists: [this.#target],
      unfolded: execution === null ? [] : [execution],
    };
  }

  #attend(): void {
    this.#view.setAttention({ isVisible: true, isFocused: vscode.window.state.focused });
  }

  #draw(): void {
    const ran = this.#findRan();
    const shown = this.#definition.shown.current;
    if (ran !== undefined && !this.#isEdited()) this.#drawGraph(this.#definitionOf(ran), ran);
    else if (shown.kind === 'definition') this.#drawGraph(shown.definition, ran);
    else if (shown.kind === 'reading') this.#showMessage(vscode.l10n.t('Reading the definition…'));
    else if (shown.kind === 'deleted')
      this.#showMessage(vscode.l10n.t('This workflow was deleted on the service.'));
    else this.#showMessage(describeError(shown.error, this.#deps.clock.now()).message);
  }

  /** Asks the service where what ran may differ from what is saved; the graph is drawn again when that's known. */
  #findRan(): RanDefinition | undefined {
    const { current } = this.#execution.shown;
    if (current.kind !== 'execution') return undefined;
    const { ranDefinitions } = this.#deps;
    const { execution } = current;
    if (ranDefinitions.mayDiffer(this.#target, execution)) void ranDefinitions.learn(this.#target, execution);
    return ranDefinitions.find(this.#target, execution);
  }

  /** True for the text of an open document, unless an earlier execution was chosen. */
  #isEdited(): boolean {
    const { current } = this.#execution.shown;
    const isLatest = current.kind !== 'execution' || current.isLatest;
    return isLatest && this.#deps.definitionTargets.findOpen(this.#target) !== undefined;
  }

  #definitionOf(ran: RanDefinition): DefinitionText {
    if (this.#ran?.ran !== ran) {
      const format = this.#deps.services.traits(this.#target.connectionId).definitionFormat;
      this.#ran = { ran, definition: DefinitionText.of(ran.definition, format) };
    }
    return this.#ran.definition;
  }

  #showMessage(text: string): void {
    this.#sent = undefined;
    this.#post({ kind: 'nothing', text });
  }

  #drawGraph(definition: DefinitionText, ran: RanDefinition | undefined): void {
    const { current } = this.#execution.shown;
    const graph = readGraph(definition, current.kind === 'execution' ? current.nodeRuns : []);
    if (graph.nodes.length === 0) {
      this.#showMessage(vscode.l10n.t('The definition has no nodes.'));
      return;
    }
    const title = this.#titleOf(graph);
    const structure = stringifyJson([title, graph]);
    if (this.#sent?.structure !== structure) {
      const { nodes, edges } = graph;
      this.#sent = { structure, run: new RunDifference() };
      this.#post({ kind: 'graph', subject: this.#subject, title, texts: renderPageTexts(), nodes, edges });
    }
    const rows = this.#lastRows(current);
    const { services } = this.#deps;
    const { connectionId } = this.#target;
    const context = {
      offersRetry: services.offers(connectionId, 'retry'),
      offersRetryFromNode: services.offers(connectionId, 'retryFromNode'),
      differentNodeId: this.#differentNodeId(),
      ran: ran?.nodes,
    };
    const run = this.#sent.run.next(renderRun(graph, current, rows, context));
    if (run !== undefined) this.#post(run);
  }

  /** The first node that differs, if the execution is one of those that are compared. */
  #differentNodeId(): string | null {
    const comparison = this.#deps.selection.comparison.current;
    const { execution } = this;
    if (comparison === null || execution === null) return null;
    const { left, right, firstDifferentNodeId } = comparison;
    const isCompared = [left, right].some((each) => executionName(each) === executionName(execution));
    return isCompared ? firstDifferentNodeId : null;
  }

  #lastRows(shown: ShownExecution) {
    return shown.kind === 'execution' ? this.#deps.executions.logs(shown.target).lastRows(lastRows) : [];
  }

  #findName(): string {
    const { connectionId, workflowId } = this.#target;
    return workflowName(this.#deps.workflows, connectionId, workflowId);
  }

  /** The name may be known later than the workflow, and may change. Of a connection that isn't active any more it's no longer known. */
  #nameAgain(): void {
    const { workflows } = this.#deps;
    if (workflows.find(this.#target) !== undefined || workflows.isDeleted(this.#target))
      this.#name.set(this.#findName());
  }

  #titleOf({ nodes, omitted }: WorkflowGraph): string {
    const name = this.#name.current;
    if (omitted === 0) return name;
    return vscode.l10n.t('{0} (the first {1} of {2} nodes)', name, nodes.length, nodes.length + omitted);
  }
}
