// Validates inputs against their schemas while somebody types: what doesn't match, and whether that could be found out at all.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { JsonLanguages, Unvalidated, Validation } from './jsonLanguages.ts';

/** Shows mismatches as warnings, or as information if the schema is learned. They don't prevent sending, which asks first, because the service decides. */
export class InputValidation implements Disposable {
  readonly #schemas: InputSchemas;
  readonly #languages: JsonLanguages;
  readonly #owned = new DisposableStore();
  readonly #ended = new AbortController();
  readonly #collection = this.#owned.add(
    vscode.languages.createDiagnosticCollection('workflowAutomation.inputSchema'),
  );
  /** The open inputs that couldn't be validated. */
  readonly #unvalidated = new Map<string, Unvalidated>();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  /** Fires when an input can be validated that couldn't before, or the other way round. */
  readonly onDidChange = this.#changes.event;

  constructor(schemas: InputSchemas, languages: JsonLanguages) {
    this.#schemas = schemas;
    this.#languages = languages;
    const checkAll = (): void => {
      for (const document of vscode.workspace.textDocuments) void this.#check(document);
    };
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document)));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#check(document)));
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#collection.delete(uri);
        this.#unvalidated.delete(uri.toString());
      }),
    );
    this.#owned.add(schemas.onDidChange(checkAll));
    checkAll();
  }

  /** Why an input isn't validated; undefined for one that is, and for one without a schema. */
  whyNot(uri: vscode.Uri): Unvalidated | undefined {
    return this.#unvalidated.get(uri.toString());
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const target = document.uri.scheme === schemes.input ? inputTarget(document.uri) : undefined;
    if (target === undefined) return;
    const { version } = document;
    const schema = await this.#schemas.find(target);
    const isStale = () => this.#owned.isDisposed || document.isClosed || document.version !== version;
    if (isStale()) return;
    const isLearned = schema !== undefined && schema.learnedFrom !== null;
    const severity = isLearned ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
    try {
      const found: Validation<vscode.Diagnostic> =
        schema === undefined
          ? { kind: 'validated', problems: [] }
          : await this.#languages.validate(schema, document.getText().length, (validator) =>
              validator.validate(document, severity, this.#ended.signal),
            );
      if (!isStale()) this.#show(document, found, isLearned);
    } catch (error) {
      // Nobody is left who would see it.
      if (!isAbortError(error)) throw error;
    }
  }

  #show({ uri }: vscode.TextDocument, found: Validation<vscode.Diagnostic>, isLearned: boolean): void {
    const problems = found.kind === 'validated' ? found.problems : [];
    for (const problem of problems)
      problem.source = isLearned ? vscode.l10n.t('Workflows (inferred)') : vscode.l10n.t('Workflows');
    this.#collection.set(uri, problems);
    const because = found.kind === 'unvalidated' ? found.because : undefined;
    if (because === this.whyNot(uri)) return;
    if (because === undefined) this.#unvalidated.delete(uri.toString());
    else this.#unvalidated.set(uri.toString(), because);
    this.#changes.fire(uri);
  }
}
