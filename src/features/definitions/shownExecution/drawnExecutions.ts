// The execution that each open definition shows, from opening its document until closing it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { Pulse } from '../../../base/pulse.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { ShownExecutionSource, type ShownExecution } from '../../../model/selection/shownExecution.ts';
import type { App } from '../../../ui/app.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import {
  wasRedeployedAfter,
  type RanDefinition,
  type RanNodes,
} from '../../../model/workflows/ranDefinitions.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { isServiceError } from '../../../domain/errors.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { ChangedNodes, findReplaced, type NodeChanges, noChanges } from '../../../ui/changedNodes.ts';

export type DrawnExecutionsDeps = Pick<
  App,
  | 'clock'
  | 'definitionTargets'
  | 'definitionTexts'
  | 'executions'
  | 'following'
  | 'logger'
  | 'ranDefinitions'
  | 'selection'
  | 'workflows'
>;

/** What to draw on a document. */
export interface DrawnExecution {
  readonly document: vscode.TextDocument;
  readonly text: DefinitionText;
  readonly shown: ShownExecution;
  /** The nodes of the text; none without an execution. */
  readonly positions: readonly DefinitionNode[];
  /** By node id, the nodes that have a run. */
  readonly nodes: ReadonlyMap<string, NodeView>;
  readonly changes: NodeChanges;
  /** What the execution ran, as far as it's known. */
  readonly ran: RanNodes | undefined;
}

/** A result, and what it was made of. */
interface Described {
  readonly ran: RanDefinition | undefined;
  readonly drawn: DrawnExecution;
}

interface Held {
  readonly document: vscode.TextDocument;
  readonly target: WorkflowTarget;
  readonly source: ShownExecutionSource;
  readonly changedNodes: ChangedNodes;
  /** As it was when this was announced last. */
  workflow: Workflow | undefined;
  /** What was found for the execution as it's shown. */
  nodes: { readonly shown: ShownExecution; readonly found: ReadonlyMap<string, NodeView> } | undefined;
  /** The last result. */
  described: Described | undefined;
}

/** The first change is announced at once. The pauses leave time for all else, however large an execution is. */
const pulse = { first: 0, pause: 100, backoff: { factor: 10, longest: 5000 } };

export class DrawnExecutions implements Disposable {
  readonly #deps: DrawnExecutionsDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<DrawnExecution>());
  /** Fires when the text, the execution, the node runs or the workflow change. Changes in quick succession fire once. */
  readonly onDidChange = this.#changes.event;
  readonly #held = new Map<vscode.TextDocument, Held>();
  readonly #changed = new Set<Held>();
  readonly #pulse: Pulse;

  constructor(deps: DrawnExecutionsDeps) {
    this.#deps = deps;
    const { clock, ranDefinitions, workflows } = deps;
    this.#pulse = new Pulse(clock, () => this.#announceAll(), pulse);
    this.#owned.add(
      ranDefinitions.onDidLearn(({ connectionId }) => {
        for (const held of this.#held.values())
          if (held.target.connectionId === connectionId) this.#announce(held);
      }),
    );
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(this.#open));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(this.#close));
    this.#owned.add(
      workflows.onDidChangeItems(() => {
        for (const held of this.#held.values())
          if (workflows.find(held.target) !== held.workflow) this.#announce(held);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#open(document);
    this.#owned.add(deps.definitionTargets.onDidChange(() => this.#link()));
    this.#owned.add(
      deps.definitionTexts.onDidRest((document) => {
        const held = this.#held.get(document);
        if (held) this.#announce(held);
      }),
    );
  }

  find(document: vscode.TextDocument): DrawnExecution | undefined {
    const held = this.#held.get(document);
    return held && this.#describe(held);
  }

  /** What is drawn on the open definition of a workflow. */
  findOf(target: WorkflowTarget): DrawnExecution | undefined {
    const document = this.#deps.definitionTargets.findOpen(target);
    return document && this.find(document);
  }

  /** True if what the execution ran isn't known, because the workflow was deployed again since. */
  wasRedeployedAfter(document: vscode.TextDocument): boolean {
    const held = this.#held.get(document);
    const shown = held?.source.shown.current;
    // A draft execution runs a text, whatever is deployed.
    if (held === undefined || shown?.kind !== 'execution' || shown.execution.kind === 'draft') return false;
    const { ranDefinitions, workflows } = this.#deps;
    const workflow = workflows.find(held.target);
    if (workflow === undefined || ranDefinitions.findLearned(shown.target) !== undefined) return false;
    return wasRedeployedAfter(workflow, shown.execution);
  }

  dispose(): void {
    this.#pulse.dispose();
    for (const { source } of this.#held.values()) source.dispose();
    this.#held.clear();
    this.#owned.dispose();
  }

  readonly #open = (document: vscode.TextDocument): void => {
    const target = this.#deps.definitionTargets.ofEdited(document.uri);
    if (target === undefined || this.#held.has(document)) return;
    const held: Held = {
      document,
      target,
      source: new ShownExecutionSource(this.#deps, target, 'definition'),
      changedNodes: new ChangedNodes(),
      workflow: undefined,
      nodes: undefined,
      described: undefined,
    };
    this.#held.set(document, held);
    // Reading a service's document has read the workflow.
    if (this.#deps.definitionTargets.isLinkedFile(document.uri)) void this.#readWorkflow(target);
    held.source.shown.onDidChange(() => this.#announce(held));
    this.#announce(held);
  };

  readonly #close = (document: vscode.TextDocument): void => {
    const held = this.#held.get(document);
    if (held === undefined) return;
    this.#held.delete(document);
    this.#changed.delete(held);
    held.source.dispose();
  };

  async #readWorkflow(target: WorkflowTarget): Promise<void> {
    const { logger, workflows } = this.#deps;
    try {
      await workflows.get(target);
    } catch (error) {
      // A file needs no service to be edited.
      if (!isServiceError(error)) logger.error('The workflow of a linked file could not be read.', error);
    }
  }

  /** Takes over which workflows the documents are of. What was drawn on one that is of none now goes. */
  #link(): void {
    const { definitionTargets } = this.#deps;
    for (const [document, { target }] of this.#held) {
      if (definitionTargets.isOf(document.uri, target)) continue;
      this.#close(document);
      const text = this.#deps.definitionTexts.of(document);
      if (definitionTargets.ofEdited(document.uri) === undefined)
        this.#changes.fire(nothingDrawn(document, text, { kind: 'unknown' }));
    }
    vscode.workspace.textDocuments.forEach(this.#open);
  }

  #announce(held: Held): void {
    this.#changed.add(held);
    this.#pulse.ask();
  }

  #announceAll(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const each of changed) {
      each.workflow = this.#deps.workflows.find(each.target);
      this.#changes.fire(this.#describe(each));
      this.#learn(each);
    }
  }

  /** The same result for the same text, execution and definition that ran. */
  #describe(held: Held): DrawnExecution {
    const text = this.#deps.definitionTexts.of(held.document);
    const shown = held.source.shown.current;
    const ran =
      shown.kind === 'execution' ? this.#deps.ranDefinitions.find(held.target, shown.execution) : undefined;
    const { described } = held;
    const isSame = described?.drawn.text === text && described.drawn.shown === shown;
    if (isSame && described.ran === ran) return described.drawn;
    const drawn = this.#find(held, text, shown, ran?.nodes);
    held.described = { ran, drawn };
    return drawn;
  }

  #find(held: Held, text: DefinitionText, shown: ShownExecution, ran: RanNodes | undefined): DrawnExecution {
    const { document, changedNodes } = held;
    if (shown.kind !== 'execution') return nothingDrawn(document, text, shown);
    if (held.nodes?.shown !== shown) held.nodes = { shown, found: shown.runTree.select(shown.iterations) };
    const positions = [...text.byId.values()];
    const nodes = held.nodes.found;
    const changes = ran === undefined ? findReplaced(positions, nodes) : changedNodes.find(positions, ran);
    return { document, text, shown, positions, nodes, changes, ran };
  }

  /** Asks which definition ran, but only where the text may differ from it. */
  #learn({ document, target, source }: Held): void {
    const shown = source.shown.current;
    const { definitionTargets, ranDefinitions } = this.#deps;
    if (shown.kind !== 'execution') return;
    // A file may differ from what the service has, saved or not.
    const mayDiffer = document.isDirty || definitionTargets.isLinkedFile(document.uri);
    if (mayDiffer || ranDefinitions.mayDiffer(target, shown.execution))
      void ranDefinitions.learn(target, shown.execution);
  }
}

function nothingDrawn(
  document: vscode.TextDocument,
  text: DefinitionText,
  shown: ShownExecution,
): DrawnExecution {
  return { document, text, shown, positions: [], nodes: new Map(), changes: noChanges, ran: undefined };
}
