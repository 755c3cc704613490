// Completion, hovers and diagnostics for input documents, from the workflow's schema.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { JsonLanguage } from './jsonLanguage.ts';

/** Limits that keep a key press below about a second: the document's length in UTF-16 units, and that length times the checks per value. */
const maximumLength = 256 * 1024;
const maximumChecks = 2_000_000;

interface Help {
  readonly language: JsonLanguage;
  readonly schema: InputSchema;
}

/** The language service of each schema. */
class JsonLanguages {
  readonly #schemas: InputSchemas;
  readonly #languages = new WeakMap<InputSchema, JsonLanguage>();

  constructor(schemas: InputSchemas) {
    this.#schemas = schemas;
  }

  /** Returns undefined for a document without a schema, and for one that is too large for its schema. */
  async find(document: vscode.TextDocument): Promise<Help | undefined> {
    const target = inputTarget(document.uri);
    const { length } = document.getText();
    if (target === undefined || length > maximumLength) return undefined;
    const schema = await this.#schemas.find(target);
    if (schema === undefined || length * schema.checksPerValue > maximumChecks) return undefined;
    const { JsonLanguage } = await import('./jsonLanguage.ts');
    const language = this.#languages.get(schema) ?? new JsonLanguage(schema.schema);
    this.#languages.set(schema, language);
    return { language, schema };
  }
}

/** Shows mismatches as warnings, or as information if the schema is learned. They don't prevent sending, because the service decides. */
function registerProblems(schemas: InputSchemas, languages: JsonLanguages): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inputSchema'));
  const check = async (document: vscode.TextDocument): Promise<void> => {
    if (document.uri.scheme !== schemes.input) return;
    const { version } = document;
    const help = await languages.find(document);
    const isStale = () => owned.isDisposed || document.isClosed || document.version !== version;
    if (isStale()) return;
    const isLearned = help !== undefined && help.schema.learnedFrom !== null;
    const severity = isLearned ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
    const problems = await help?.language.validate(document, severity);
    if (isStale()) return;
    for (const problem of problems ?? [])
      problem.source = isLearned ? vscode.l10n.t('Workflows (inferred)') : vscode.l10n.t('Workflows');
    collection.set(document.uri, problems ?? []);
  };
  const checkAll = (): void => {
    for (const document of vscode.workspace.textDocuments) void check(document);
  };
  owned.add(vscode.workspace.onDidOpenTextDocument((document) => void check(document)));
  owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => void check(document)));
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)));
  owned.add(schemas.onDidChange(checkAll));
  checkAll();
  return owned;
}

export function registerSchemaHelp(schemas: InputSchemas): Disposable {
  const owned = new DisposableStore();
  const languages = new JsonLanguages(schemas);
  const selector = { scheme: schemes.input };
  owned.add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await languages.find(document))?.language.complete(document, position),
      },
      '"',
      ':',
      ' ',
    ),
  );
  owned.add(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        (await languages.find(document))?.language.hover(document, position),
    }),
  );
  owned.add(registerProblems(schemas, languages));
  return owned;
}
