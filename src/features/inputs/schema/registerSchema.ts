// Completion, hovers and diagnostics for input documents, from the workflow's schema.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { InputSchema } from '../../../model/inputs/inputSchemas.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { JsonLanguage } from './jsonLanguage.ts';
import type { App } from '../../../ui/app.ts';

/** Limits that keep a key press below about a second: the document's length in UTF-16 units, and that length times the checks per value. */
const maximumLength = 256 * 1024;
const maximumChecks = 2_000_000;

export interface SchemaDeps extends Pick<App, 'schemas'> {
  readonly scheme: string;
  readonly targetOf: (uri: vscode.Uri) => WorkflowTarget | undefined;
}

interface Help {
  readonly language: JsonLanguage;
  readonly schema: InputSchema;
}

/** Returns a function that finds a document's language service. There is one per schema. */
function createHelps({ schemas, targetOf }: SchemaDeps) {
  const languages = new WeakMap<InputSchema, JsonLanguage>();
  return async (document: vscode.TextDocument): Promise<Help | undefined> => {
    const target = targetOf(document.uri);
    const { length } = document.getText();
    if (target === undefined || length > maximumLength) return undefined;
    const schema = await schemas.find(target);
    if (schema === undefined || length * schema.checksPerValue > maximumChecks) return undefined;
    const { createJsonLanguage } = await import('./jsonLanguage.ts');
    const language = languages.get(schema) ?? createJsonLanguage(schema.schema);
    languages.set(schema, language);
    return { language, schema };
  };
}

type FindHelp = ReturnType<typeof createHelps>;

/** Shows mismatches as warnings, or as information if the schema is learned. They don't prevent sending, because the service decides. */
function registerProblems({ schemas, scheme }: SchemaDeps, findHelp: FindHelp): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inputSchema'));
  const check = async (document: vscode.TextDocument): Promise<void> => {
    if (document.uri.scheme !== scheme) return;
    const { version } = document;
    const help = await findHelp(document);
    const isStale = () => owned.isDisposed || document.isClosed || document.version !== version;
    if (isStale()) return;
    const isLearned = help !== undefined && help.schema.learnedFrom !== null;
    const severity = isLearned ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
    const problems = await help?.language.validate(document, severity);
    if (isStale()) return;
    for (const problem of problems ?? [])
      problem.source = isLearned ? vscode.l10n.t('Workflows, learned') : vscode.l10n.t('Workflows');
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

export function registerSchema(deps: SchemaDeps): Disposable {
  const owned = new DisposableStore();
  const findHelp = createHelps(deps);
  const selector = { scheme: deps.scheme };
  owned.add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await findHelp(document))?.language.complete(document, position),
      },
      '"',
      ':',
      ' ',
    ),
  );
  owned.add(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        (await findHelp(document))?.language.hover(document, position),
    }),
  );
  owned.add(registerProblems(deps, findHelp));
  return owned;
}
