// A file system for definitions: reading a file requests the workflow, saving it updates the workflow.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import type { DefinitionSnapshot, DefinitionStore } from '../../model/definitions/definitionStore.ts';
import { parseDefinition } from '../../model/definitions/definitionText.ts';
import type { ShownDefinition } from '../../model/definitions/definitionFile.ts';
import { plainLine } from '../../editor/format.ts';
import { showMessage } from '../../editor/messages.ts';
import type { Files } from '../../editor/lazySurfaces.ts';
import { type DefinitionProblems, findTextProblem } from './definitionProblems.ts';
import type { OpenDefinitions } from './openDefinitions.ts';
import { PlainError } from '../../editor/plainError.ts';
import { toUserError } from '../../ui/words/describeError.ts';
import { isTheirs, requireTarget } from '../../ui/addresses.ts';
import { findDocument } from '../../editor/documents.ts';

/** A save that was rejected because the workflow has changes that the user hasn't seen. */
export interface Conflict {
  readonly document: vscode.TextDocument;
  /** The definition that the document is based on; undefined if it isn't known. */
  readonly base: JsonObject | undefined;
  readonly theirs: DefinitionSnapshot;
}

/** A save that was rejected because the workflow was deleted. */
export interface Deletion {
  readonly document: vscode.TextDocument;
  /** The workflow's name in the document; not sanitized. */
  readonly name: string;
}

export interface DefinitionFilesDeps {
  readonly store: DefinitionStore;
  readonly open: OpenDefinitions;
  readonly problems: DefinitionProblems;
  readonly onConflict: (conflict: Conflict) => void;
  readonly onDeletion: (deletion: Deletion) => void;
}

export class DefinitionFiles implements Files {
  readonly #deps: DefinitionFilesDeps;
  readonly #loading = new Map<string, Promise<ShownDefinition>>();
  readonly #ended = new AbortController();
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  constructor(deps: DefinitionFilesDeps) {
    this.#deps = deps;
    this.onDidChangeFile = deps.open.onDidChangeFile;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (this.#deps.open.isGone(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    const { text, mtime } = this.#deps.open.shown(uri) ?? (await this.#load(uri));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: new TextEncoder().encode(text).byteLength,
      ...(isTheirs(uri) ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { open } = this.#deps;
    if (open.isGone(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    if (open.takeReadable(uri) === undefined) await this.#load(uri);
    const shown = open.takeReadable(uri) ?? open.shown(uri);
    if (shown === undefined) throw vscode.FileSystemError.Unavailable(uri);
    return new TextEncoder().encode(shown.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (isTheirs(uri)) throw vscode.FileSystemError.NoPermissions(uri);
    const { store, open, problems } = this.#deps;
    const target = requireTarget(uri);
    const base = open.base(uri);
    const text = new TextDecoder().decode(content);
    const mine = readText(text, base);
    const seen = [base, open.agreed(uri)].filter((definition) => definition !== undefined);
    problems.clear(uri);
    const result = await store
      .save(target, mine, seen, this.#ended.signal)
      .catch((error: unknown) => this.#refuseSave(uri, mine, error));
    if (result.kind === 'conflict') {
      const document = findDocument(uri);
      if (document !== undefined) this.#deps.onConflict({ document, base, theirs: result.theirs });
      throw new PlainError(
        vscode.l10n.t(
          'Somebody else changed this workflow meanwhile. Nothing was written, your text is kept.',
        ),
      );
    }
    open.acceptSaved(uri, text, result.now);
    if (result.notKept.length > 0) warnNotKept(result.notKept);
  }

  /** Reads the definition of an open document again. A document with unsaved edits keeps its text. Rejects with a ServiceError. */
  async refresh(uri: vscode.Uri): Promise<void> {
    const { store, open } = this.#deps;
    try {
      await open.receiveFrom(uri, store.read(requireTarget(uri), this.#ended.signal));
    } catch (error) {
      if (isServiceError(error, 'notFound')) open.markGone(uri);
      throw error;
    }
  }

  dispose(): void {
    this.#ended.abort();
  }

  /** The editor calls stat and readFile at about the same time; both share one request. */
  #load(uri: vscode.Uri): Promise<ShownDefinition> {
    const key = uri.toString();
    const loading =
      this.#loading.get(key) ??
      this.#deps.store
        .read(requireTarget(uri), this.#ended.signal)
        .then((snapshot) => this.#deps.open.receive(uri, snapshot))
        .catch((error: unknown) => this.#refuse(uri, error))
        .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Throws the error in the form that the editor shows. */
  #refuse(uri: vscode.Uri, error: unknown): never {
    if (isServiceError(error, 'notFound')) throw vscode.FileSystemError.FileNotFound(uri);
    throw toUserError(error);
  }

  /** Shows the problems that the service found in the document. If the workflow was deleted, offers to create a new one from the text. */
  #refuseSave(uri: vscode.Uri, mine: JsonObject, error: unknown): never {
    const { open, problems, onDeletion } = this.#deps;
    const document = findDocument(uri);
    if (isServiceError(error) && error.reason.kind === 'invalid' && document !== undefined)
      problems.show(document, error.reason.details);
    if (!isServiceError(error, 'notFound')) throw toUserError(error);
    open.markGone(uri);
    const name = typeof mine['name'] === 'string' ? mine['name'] : '';
    if (document !== undefined) onDeletion({ document, name });
    throw new PlainError(
      vscode.l10n.t('This workflow was deleted on the service. Nothing was written, your text is kept.'),
    );
  }
}

/** Throws a PlainError with the line and column of the first problem. */
function readText(text: string, base: JsonObject | undefined): JsonObject {
  const problem = findTextProblem(text);
  const definition = problem === undefined ? parseDefinition(text, base) : undefined;
  if (definition !== undefined) return definition;
  const lines = text.slice(0, problem?.offset ?? 0).split(/\r\n|\r|\n/);
  throw new PlainError(
    vscode.l10n.t(
      'Line {0}, column {1}: {2} Nothing was sent, your text is kept.',
      lines.length,
      (lines.at(-1)?.length ?? 0) + 1,
      problem?.message ?? '',
    ),
  );
}

function warnNotKept(names: readonly string[]): void {
  void showMessage(
    'warning',
    vscode.l10n.t(
      'The service did not take these over as you wrote them: {0}. Undo brings your text back.',
      names.map((name) => plainLine(name, 80)).join(', '),
    ),
  );
}
