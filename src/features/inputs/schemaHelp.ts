// Completion, hovers and diagnostics for input documents, from the workflow's schema.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import type { InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { JsonLanguages } from './jsonLanguages.ts';
import { schemaProblems } from './schemaProblems.ts';

function findLanguage(languages: JsonLanguages, document: vscode.TextDocument) {
  const target = inputTarget(document.uri);
  return target === undefined ? undefined : languages.find(target, document.getText().length);
}

/** Shows mismatches as warnings, or as information if the schema is learned. They don't prevent sending, which asks first, because the service decides. */
function registerProblems(schemas: InputSchemas, languages: JsonLanguages): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inputSchema'));
  const check = async (document: vscode.TextDocument): Promise<void> => {
    if (document.uri.scheme !== schemes.input) return;
    const { version } = document;
    const target = inputTarget(document.uri);
    const schema = target && (await languages.findSchema(target, document.getText().length));
    const isStale = () => owned.isDisposed || document.isClosed || document.version !== version;
    if (isStale()) return;
    const isLearned = schema !== undefined && schema.learnedFrom !== null;
    const severity = isLearned ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
    const problems = schema === undefined ? [] : schemaProblems(schema.schema, document, severity);
    for (const problem of problems)
      problem.source = isLearned ? vscode.l10n.t('Workflows (inferred)') : vscode.l10n.t('Workflows');
    collection.set(document.uri, problems);
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

export function registerSchemaHelp(schemas: InputSchemas, languages: JsonLanguages): Disposable {
  const owned = new DisposableStore();
  const selector = { scheme: schemes.input };
  owned.add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await findLanguage(languages, document))?.complete(document, position),
      },
      '"',
      ':',
      ' ',
    ),
  );
  owned.add(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        (await findLanguage(languages, document))?.hover(document, position),
    }),
  );
  owned.add(registerProblems(schemas, languages));
  return owned;
}
