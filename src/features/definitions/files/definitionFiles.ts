// A file system for definitions: reading a file requests the workflow, saving it updates the workflow.
import * as vscode from 'vscode';
import type { JsonObject } from '../../../base/json.ts';
import { DefinitionText } from '../../../definition/definitionText.ts';
import type { DefinitionStore, SaveResult } from '../../../model/workflows/definitionStore.ts';
import { parseDefinition } from '../../../model/workflows/workflowDefinition.ts';
import type { FileContent } from './definitionFile.ts';
import { plainLine } from '../../../base/format.ts';
import { fileStat } from '../../../editor/documents/fileStamps.ts';
import { readSaved } from '../../../editor/documents/utf8Text.ts';
import type { Files } from '../../../editor/lazy/lazySurfaces.ts';
import type { DefinitionProblems } from '../checks/definitionProblems.ts';
import { findTextProblem } from '../../../definition/definitionProblem.ts';
import { positionOf } from '../../../definition/jsonText.ts';
import type { OpenDefinitions } from './openDefinitions.ts';
import type { RefusedSaves } from './refusedSaves.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { toUserError } from '../../../ui/words/describeError.ts';
import { isTheirs, requireAddress, serviceTarget } from '../../../ui/addresses.ts';
import { findDocument } from '../../../editor/documents/documents.ts';
import { isServiceError } from '../../../domain/errors.ts';
import { showMessage } from '../../../editor/prompts/prompts.ts';

export class DefinitionFiles implements Files {
  readonly #store: DefinitionStore;
  readonly #open: OpenDefinitions;
  readonly #refused: RefusedSaves;
  readonly #problems: DefinitionProblems;
  readonly #loading = new Map<string, Promise<FileContent>>();
  readonly #ended = new AbortController();
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  constructor(
    store: DefinitionStore,
    open: OpenDefinitions,
    refused: RefusedSaves,
    problems: DefinitionProblems,
  ) {
    this.#store = store;
    this.#open = open;
    this.#refused = refused;
    this.#problems = problems;
    this.onDidChangeFile = open.onDidChangeFile;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (this.#open.isGone(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    const shown = this.#open.shown(uri) ?? (await this.#load(uri));
    return {
      ...fileStat(shown, Buffer.byteLength(shown.text)),
      ...(isTheirs(uri) ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (this.#open.isGone(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    if (this.#open.takeReadable(uri) === undefined) await this.#load(uri);
    const shown = this.#open.takeReadable(uri) ?? this.#open.shown(uri);
    if (shown === undefined) throw vscode.FileSystemError.Unavailable(uri);
    return new TextEncoder().encode(shown.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (isTheirs(uri)) throw vscode.FileSystemError.NoPermissions(uri);
    const base = this.#open.base(uri);
    const text = readSaved(content);
    const result = await this.#save(uri, readText(text, base), base);
    const saved = findDocument(uri);
    if (saved !== undefined) this.#problems.showRefused(saved, 'save', []);
    await this.#open.acceptSaved(uri, text, result.now);
    if (result.notKept.length > 0) warnNotKept(result.notKept);
  }

  /** Reads the definition of an open document again. A document with unsaved edits keeps its text. Rejects with a ServiceError. */
  async refresh(uri: vscode.Uri): Promise<void> {
    try {
      await this.#open.receiveFrom(
        uri,
        this.#store.read(requireAddress(uri, serviceTarget), this.#ended.signal),
      );
    } catch (error) {
      if (isServiceError(error, 'notFound')) this.#open.markGone(uri);
      throw error;
    }
  }

  /** Saves the definition, or what the user decides on in a conflict. The editor's save lasts until then. */
  async #save(
    uri: vscode.Uri,
    mine: JsonObject,
    base: JsonObject | undefined,
  ): Promise<Extract<SaveResult, { kind: 'saved' }>> {
    const target = requireAddress(uri, serviceTarget);
    let wanted = mine;
    const seen = base === undefined ? [] : [base];
    for (;;) {
      const result = await this.#store
        .save(target, wanted, seen, this.#ended.signal)
        .catch((error: unknown) => this.#refuseSave(uri, wanted, error));
      if (result.kind === 'saved') return result;
      const { theirs } = result;
      const document = findDocument(uri);
      const decided =
        document && (await this.#refused.resolveConflict({ document, base, mine: wanted, theirs }));
      if (decided === undefined)
        throw new PlainError(
          vscode.l10n.t('This workflow was changed on the service. Nothing was saved; your edits are kept.'),
        );
      wanted = decided;
      seen.push(theirs.definition);
    }
  }

  dispose(): void {
    this.#ended.abort();
  }

  /** The editor calls stat and readFile at about the same time; both share one request. */
  #load(uri: vscode.Uri): Promise<FileContent> {
    const key = uri.toString();
    const loading =
      this.#loading.get(key) ??
      this.#store
        .read(requireAddress(uri, serviceTarget), this.#ended.signal)
        .then((snapshot) => this.#open.receive(uri, snapshot))
        .catch((error: unknown) => this.#refuse(uri, error))
        .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Throws the error in the form that the editor shows. */
  #refuse(uri: vscode.Uri, error: unknown): never {
    if (isServiceError(error, 'notFound'))
      throw Object.assign(vscode.FileSystemError.FileNotFound(uri), { cause: error });
    throw toUserError(error);
  }

  /** Shows the problems that the service found in the document. If the workflow was deleted, offers to create a new one from the text. */
  #refuseSave(uri: vscode.Uri, mine: JsonObject, error: unknown): never {
    const document = findDocument(uri);
    if (isServiceError(error) && error.reason.kind === 'invalid' && document !== undefined)
      this.#problems.showRefused(document, 'save', error.reason.details);
    if (!isServiceError(error, 'notFound')) throw toUserError(error);
    this.#open.markGone(uri);
    const name = typeof mine['name'] === 'string' ? mine['name'] : '';
    if (document !== undefined) this.#refused.resolveDeletion({ document, name });
    throw new PlainError(
      vscode.l10n.t('This workflow was deleted on the service. Nothing was saved; your edits are kept.'),
    );
  }
}

/** Throws a PlainError with the line and column of the first problem. */
function readText(text: string, base: JsonObject | undefined): JsonObject {
  const problem = findTextProblem(new DefinitionText(text));
  const definition = problem === undefined ? parseDefinition(text, base) : undefined;
  if (definition !== undefined) return definition;
  const { line, column } = positionOf(text, problem?.offset ?? 0);
  throw new PlainError(
    vscode.l10n.t('Line {0}, column {1}: {2} Nothing was sent.', line, column, problem?.message ?? ''),
  );
}

function warnNotKept(names: readonly string[]): void {
  void showMessage(
    'warning',
    vscode.l10n.t(
      'The service saved these differently: {0}. Undo restores your text.',
      names.map((name) => plainLine(name, 80)).join(', '),
    ),
  );
}
