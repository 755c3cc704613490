// Validates inputs against their schemas while somebody types: what doesn't match, and whether that could be found out at all.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import { DocumentMarks, lookWhileTyping, type Mark } from '../../editor/documents/documentMarks.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { JsonLanguages, Unvalidated, Validation } from './jsonLanguages.ts';
import type { InputFault } from './schemaValidator.ts';

/** Shows mismatches as warnings, or as information if the schema is learned. They don't prevent sending, which asks first, because the service decides. */
export class InputValidation implements Disposable {
  readonly #schemas: InputSchemas;
  readonly #languages: JsonLanguages;
  readonly #owned = new DisposableStore();
  readonly #ended = new AbortController();
  /** The open inputs that couldn't be validated. */
  readonly #unvalidated = new Map<string, Unvalidated>();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  /** Fires when an input can be validated that couldn't before, or the other way round. */
  readonly onDidChange = this.#changes.event;

  constructor(schemas: InputSchemas, languages: JsonLanguages) {
    this.#schemas = schemas;
    this.#languages = languages;
    this.#owned.add(
      new DocumentMarks({
        name: 'inputSchema',
        selector: { scheme: schemes.input },
        find: (document, signal) => this.#find(document, signal),
        watch: (marks) => combine(lookWhileTyping(marks), schemas.onDidChange(marks.lookAgain)),
      }),
    );
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#unvalidated.delete(uri.toString())),
    );
  }

  /** Why an input isn't validated; undefined for one that is, and for one without a schema. */
  whyNot(uri: vscode.Uri): Unvalidated | undefined {
    return this.#unvalidated.get(uri.toString());
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  async #find(document: vscode.TextDocument, signal: AbortSignal): Promise<readonly Mark[]> {
    const target = inputTarget(document.uri);
    const schema = target && (await this.#schemas.find(target));
    signal.throwIfAborted();
    const found = schema && (await this.#validate(document, schema));
    signal.throwIfAborted();
    this.#note(document.uri, found?.kind === 'unvalidated' ? found.because : undefined);
    const isLearned = schema?.learnedFrom !== null;
    const problems = found?.kind === 'validated' ? found.problems : [];
    return problems.map((problem) => ({
      ...problem,
      severity: isLearned ? 'Information' : 'Warning',
      source: isLearned ? vscode.l10n.t('Workflows (inferred)') : vscode.l10n.t('Workflows'),
    }));
  }

  /** A text that has changed meanwhile is validated to its end: ending it would end the thread that the next one needs. */
  #validate(document: vscode.TextDocument, schema: InputSchema): Promise<Validation<InputFault>> {
    const text = document.getText();
    return this.#languages.validate(schema, text.length, (validator) =>
      validator.validate(text, this.#ended.signal),
    );
  }

  #note(uri: vscode.Uri, because: Unvalidated | undefined): void {
    if (because === this.whyNot(uri)) return;
    if (because === undefined) this.#unvalidated.delete(uri.toString());
    else this.#unvalidated.set(uri.toString(), because);
    this.#changes.fire(uri);
  }
}
