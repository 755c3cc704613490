// The definition that the graph shows: as it's written in its open document, or else as the service has it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { DefinitionText } from '../../definition/definitionText.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import type { App } from '../../ui/app.ts';

export type GraphDefinition =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The service no longer has the workflow, and no document has its text. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'definition'; readonly definition: DefinitionText };

type DefinitionSourceDeps = Pick<
  App,
  'connectionTroubles' | 'definitionTargets' | 'definitionTexts' | 'services' | 'workflows'
>;

export class DefinitionSource implements Disposable {
  readonly #deps: DefinitionSourceDeps;
  readonly #target: WorkflowTarget;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<GraphDefinition>({ kind: 'reading' }));
  readonly #ended = new AbortController();
  #known: { readonly workflow: Workflow; readonly definition: DefinitionText } | undefined;
  #isReading = false;
  #isListed: boolean;

  constructor(deps: DefinitionSourceDeps, target: WorkflowTarget) {
    this.#deps = deps;
    this.#target = target;
    this.#isListed = this.#findListed();
    const look = (document: vscode.TextDocument): void => {
      if (deps.definitionTargets.isOf(document.uri, target)) this.#look();
    };
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(look));
    this.#owned.add(
      deps.workflows.onDidChangeItems((change) => {
        if (change.kind === 'list') this.#lookInList();
        else if (change.workflowIds.includes(target.workflowId)) this.#look();
      }),
    );
    this.#owned.add(deps.connectionTroubles.onDidChange(() => this.#lookAgain()));
    this.#look();
    this.#owned.add(deps.definitionTexts.onDidRest(look));
  }

  get shown(): Observable<GraphDefinition> {
    return this.#shown;
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  #findListed(): boolean {
    const { connectionId, items } = this.#deps.workflows.state.current;
    return (
      connectionId === this.#target.connectionId && items.some(({ id }) => id === this.#target.workflowId)
    );
  }

  /** A workflow that has left the list is either deleted or filtered out, so it's read once. */
  #lookInList(): void {
    const wasListed = this.#isListed;
    this.#isListed = this.#findListed();
    const { connectionId } = this.#deps.workflows.state.current;
    const hasLeft = wasListed && !this.#isListed && connectionId === this.#target.connectionId;
    if (hasLeft && !this.#deps.workflows.isDeleted(this.#target) && !this.#isReading) void this.#read();
    else this.#look();
  }

  #look(): void {
    const document = this.#deps.definitionTargets.findOpen(this.#target);
    const workflow = this.#deps.workflows.find(this.#target);
    if (document !== undefined) this.#show(this.#deps.definitionTexts.of(document));
    else if (this.#deps.workflows.isDeleted(this.#target)) this.#shown.set({ kind: 'deleted' });
    else if (this.#shown.current.kind === 'deleted') return;
    else if (workflow?.hasDefinition === true) this.#show(this.#definitionOf(workflow));
    else if (!this.#isReading && this.#shown.current.kind !== 'failed') void this.#read();
  }

  /** What couldn't be read is read once the connection works again. */
  #lookAgain(): void {
    const { connectionTroubles } = this.#deps;
    const isWorking = connectionTroubles.find(this.#target.connectionId) === undefined;
    if (isWorking && this.#shown.current.kind === 'failed' && !this.#isReading) void this.#read('workflows');
  }

  #show(definition: DefinitionText): void {
    const { current } = this.#shown;
    if (current.kind !== 'definition' || current.definition !== definition)
      this.#shown.set({ kind: 'definition', definition });
  }

  /** The same for the same record, since the list is read again and again. */
  #definitionOf(workflow: Workflow): DefinitionText {
    if (this.#known?.workflow !== workflow) {
      const format = this.#deps.services.traits(this.#target.connectionId).definitionFormat;
      this.#known = { workflow, definition: DefinitionText.of(toDefinition(workflow), format) };
    }
    return this.#known.definition;
  }

  /** `purpose`: default "asked". */
  async #read(purpose?: Purpose): Promise<void> {
    this.#isReading = true;
    try {
      const { definitionTargets, workflows } = this.#deps;
      const read = await workflows.read(this.#target, this.#ended.signal, purpose);
      if (definitionTargets.findOpen(this.#target) !== undefined || workflows.isDeleted(this.#target)) return;
      // One that was asked for later may have come before.
      const known = workflows.find(this.#target);
      this.#show(this.#definitionOf(known?.hasDefinition === true ? known : read));
    } catch (error) {
      if (this.#ended.signal.aborted || this.#deps.definitionTargets.findOpen(this.#target) !== undefined)
        return;
      if (isServiceError(error, 'notFound')) this.#shown.set({ kind: 'deleted' });
      else if (this.#shown.current.kind === 'reading') this.#shown.set({ kind: 'failed', error });
    } finally {
      this.#isReading = false;
    }
  }
}
