// Marks on documents: what the editor lists as problems, each with the quick fixes that mend it.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stringifyJson } from '../../base/json.ts';
import { rangeOf } from './documents.ts';

/** A part of a document's text, in UTF-16 units. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

export interface Mark extends Place {
  readonly message: string;
  readonly severity: keyof typeof vscode.DiagnosticSeverity;
  readonly code?: string;
  /** What the editor names beside the message, in place of the extension. */
  readonly source?: string;
  /** What mends it. Asked only while the text is the one that the mark was found in. */
  readonly fixes?: () => readonly QuickFix[];
}

/** Edits of the document, or a command of the same title. */
export interface QuickFix {
  readonly title: string;
  readonly isPreferred?: boolean;
  readonly edits?: readonly (Place & { readonly content: string })[];
  readonly command?: vscode.Command;
}

interface MarksSource {
  /** Of the editor's collection. */
  readonly name: string;
  readonly selector: vscode.DocumentFilter | '*';
  /** The signal is aborted when the document is looked at again, or closed: then the result is dropped. */
  readonly find: (
    document: vscode.TextDocument,
    signal: AbortSignal,
  ) => readonly Mark[] | Promise<readonly Mark[]>;
  /** What the marks are made of besides the text. A document of which neither has changed isn't looked at again. */
  readonly dependsOn?: (document: vscode.TextDocument) => readonly unknown[];
  /** Says when to look at which document. */
  readonly watch?: (marks: DocumentMarks) => Disposable;
}

interface Look {
  /** Of the text. */
  readonly version: number;
  readonly madeOf: readonly unknown[] | undefined;
  readonly controller: AbortController;
  /** What is shown, which is from an earlier look until this one has found something. */
  shown: { readonly version: number; readonly marks: readonly Mark[] } | undefined;
}

/** One kind of marks on all documents that have it, from the first look at a document until it's closed. */
export class DocumentMarks implements Disposable {
  readonly #source: MarksSource;
  readonly #owned = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #looks = new Map<vscode.TextDocument, Look>();

  constructor(source: MarksSource) {
    this.#source = source;
    const { languages, workspace, CodeActionKind } = vscode;
    this.#collection = this.#owned.add(
      languages.createDiagnosticCollection(`workflowAutomation.${source.name}`),
    );
    this.#owned.add(
      languages.registerCodeActionsProvider(
        source.selector,
        { provideCodeActions: (document, range) => this.#listActions(document, range) },
        { providedCodeActionKinds: [CodeActionKind.QuickFix] },
      ),
    );
    this.#owned.add(workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    if (source.watch) this.#owned.add(source.watch(this));
  }

  readonly look = (document: vscode.TextDocument): void => {
    const { selector, find, dependsOn } = this.#source;
    if (document.isClosed || vscode.languages.match(selector, document) === 0) return;
    const earlier = this.#looks.get(document);
    const { version } = document;
    const madeOf = dependsOn?.(document);
    if (madeOf && earlier?.version === version && isSame(earlier.madeOf, madeOf)) return;
    earlier?.controller.abort();
    const look: Look = { version, madeOf, controller: new AbortController(), shown: earlier?.shown };
    this.#looks.set(document, look);
    const found = find(document, look.controller.signal);
    if (found instanceof Promise) void this.#showLater(document, look, found);
    else this.#show(document, look, found);
  };

  /** Looks at each open document that was looked at before. */
  readonly lookAgain = (): void => {
    for (const document of this.#looks.keys()) this.look(document);
  };

  /** Removes all marks, until documents are looked at again. */
  clear(): void {
    for (const { controller } of this.#looks.values()) controller.abort();
    this.#looks.clear();
    this.#collection.clear();
  }

  dispose(): void {
    this.clear();
    this.#owned.dispose();
  }

  async #showLater(
    document: vscode.TextDocument,
    look: Look,
    finding: Promise<readonly Mark[]>,
  ): Promise<void> {
    try {
      const marks = await finding;
      const { controller, version } = look;
      if (!controller.signal.aborted && document.version === version) this.#show(document, look, marks);
    } catch (error) {
      if (!isAbortError(error)) throw error;
    }
  }

  #show(document: vscode.TextDocument, look: Look, marks: readonly Mark[]): void {
    look.shown = { version: look.version, marks };
    this.#collection.set(
      document.uri,
      marks.map((mark) => toDiagnostic(document, mark)),
    );
  }

  #forget(document: vscode.TextDocument): void {
    this.#looks.get(document)?.controller.abort();
    if (!this.#looks.delete(document)) return;
    const address = document.uri.toString();
    // A new untitled document may already have the same address.
    if ([...this.#looks.keys()].some(({ uri }) => uri.toString() === address)) return;
    this.#collection.delete(document.uri);
  }

  #listActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const shown = this.#looks.get(document)?.shown;
    if (shown?.version !== document.version) return [];
    const actions = shown.marks.flatMap((mark) => {
      const diagnostic = toDiagnostic(document, mark);
      if (diagnostic.range.intersection(range) === undefined) return [];
      return (mark.fixes?.() ?? []).map(
        (fix) => [stringifyJson(fix), toAction(document, diagnostic, fix)] as const,
      );
    });
    // Several marks may offer the same.
    return [...new Map(actions.toReversed()).values()].toReversed();
  }
}

/** Looks at the documents that are open, and then with each change of a text. */
export function lookWhileTyping({ look }: DocumentMarks): Disposable {
  const owned = new DisposableStore();
  owned.add(vscode.workspace.onDidOpenTextDocument(look));
  owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  vscode.workspace.textDocuments.forEach(look);
  return owned;
}

function isSame(some: readonly unknown[] = [], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((value, index) => value === others[index]);
}

function toDiagnostic(document: vscode.TextDocument, mark: Mark): vscode.Diagnostic {
  const { message, severity, code, source = 'Workflows' } = mark;
  const range = rangeOf(document, mark);
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity[severity]);
  diagnostic.source = source;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

function toAction(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  { title, isPreferred = false, edits, command }: QuickFix,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred;
  if (command) action.command = command;
  if (!edits) return action;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(
    document.uri,
    edits.map((edit) => new vscode.TextEdit(rangeOf(document, edit), edit.content)),
  );
  return action;
}
