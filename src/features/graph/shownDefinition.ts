// The definition that the graph shows: as it's written in its open document, or else as the service has it.
import * as vscode from 'vscode';
import { getNodeValue } from 'jsonc-parser';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { toDefinition } from '../../model/definitions/definitionText.ts';
import { isOf } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { readUnfinishedJsonTree } from '../../ui/jsonText.ts';
import { findOpenDefinition } from '../../ui/pickers/openDefinition.ts';

export type ShownDefinition =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The service no longer has the workflow, and no document has its text. */
  | { readonly kind: 'deleted' }
  /** undefined: its text can't be read at all. */
  | { readonly kind: 'definition'; readonly definition: JsonObject | undefined };

/** While somebody types, the text is read this many milliseconds after the last change. */
const settleMs = 200;

/** As much of a text as can be read: it may be unfinished. */
function readText(text: string): JsonObject | undefined {
  const root = readUnfinishedJsonTree(text);
  const value: unknown = root && getNodeValue(root);
  return isJsonObject(value) ? value : undefined;
}

export class DefinitionSource implements Disposable {
  readonly #deps: Pick<App, 'clock' | 'workflows'>;
  readonly #target: WorkflowTarget;
  readonly #owned = new DisposableStore();
  readonly #shown = this.#owned.add(new ObservableValue<ShownDefinition>({ kind: 'reading' }));
  readonly #ended = new AbortController();
  #timer: Disposable | undefined;
  #isReading = false;
  #isListed: boolean;

  constructor(deps: Pick<App, 'clock' | 'workflows'>, target: WorkflowTarget) {
    this.#deps = deps;
    this.#target = target;
    this.#isListed = this.#findListed();
    const look = (document: vscode.TextDocument): void => {
      if (isOf(document.uri, target)) this.#lookSoon();
    };
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(look));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(look));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
    this.#owned.add(
      deps.workflows.onDidChangeItems((change) => {
        if (change.kind === 'list') this.#lookInList();
        else if (change.workflowIds.includes(target.workflowId)) this.#lookSoon();
      }),
    );
    this.#look();
  }

  get shown(): Observable<ShownDefinition> {
    return this.#shown;
  }

  dispose(): void {
    this.#timer?.dispose();
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
    else this.#lookSoon();
  }

  #lookSoon(): void {
    this.#timer?.dispose();
    this.#timer = this.#deps.clock.schedule(() => this.#look(), settleMs);
  }

  #look(): void {
    const document = findOpenDefinition(this.#target);
    const workflow = this.#deps.workflows.find(this.#target);
    if (document !== undefined) this.#show(readText(document.getText()));
    else if (this.#deps.workflows.isDeleted(this.#target)) this.#shown.set({ kind: 'deleted' });
    else if (this.#shown.current.kind === 'deleted') return;
    else if (workflow?.hasDefinition === true) this.#show(toDefinition(workflow));
    else if (!this.#isReading && this.#shown.current.kind !== 'failed') void this.#read();
  }

  #show(definition: JsonObject | undefined): void {
    this.#shown.set({ kind: 'definition', definition });
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const workflow = await this.#deps.workflows.read(this.#target, this.#ended.signal);
      if (findOpenDefinition(this.#target) === undefined) this.#show(toDefinition(workflow));
    } catch (error) {
      if (this.#ended.signal.aborted || findOpenDefinition(this.#target) !== undefined) return;
      if (isServiceError(error, 'notFound')) this.#shown.set({ kind: 'deleted' });
      else if (this.#shown.current.kind === 'reading') this.#shown.set({ kind: 'failed', error });
    } finally {
      this.#isReading = false;
    }
  }
}
