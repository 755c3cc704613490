// Marks secrets that aren't set, and tokens that stand in a definition of the local service, with what mends them.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import type { Span } from '../../definition/jsonString.ts';
import { nearestWords } from '../../definition/nearestWords.ts';
import { offerCommand } from '../../editor/commands.ts';
import { isForLocalService } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { findSecretUses, findTokens } from './findSecrets.ts';

export type SecretProblemsDeps = Pick<App, 'connections' | 'definitionTexts' | 'secrets'>;

/** The codes of the diagnostics, which the quick fixes look for. */
const notSet = 'secretNotSet';
const writtenToken = 'tokenInDefinition';

class SecretDiagnostic extends vscode.Diagnostic {
  /** Of the secret that isn't set. */
  readonly name: string;

  constructor(range: vscode.Range, message: string, code: string, name = '') {
    super(range, message, vscode.DiagnosticSeverity.Warning);
    this.source = 'Workflows';
    this.code = code;
    this.name = name;
  }
}

function findProblems(
  document: vscode.TextDocument,
  definition: DefinitionText,
  { secrets }: SecretProblemsDeps,
): readonly SecretDiagnostic[] {
  const rangeOf = ({ start, end }: Span) =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  const known = secrets.known.current;
  const missing = known ? findSecretUses(definition).filter(({ name }) => !known.has(name)) : [];
  return [
    ...missing.map(
      ({ name, span }) =>
        new SecretDiagnostic(
          rangeOf(span),
          vscode.l10n.t('The secret "{0}" isn\'t set, so the node will fail.', name),
          notSet,
          name,
        ),
    ),
    ...findTokens(definition).map(
      ({ span }) =>
        new SecretDiagnostic(
          rangeOf(span),
          vscode.l10n.t(
            'This looks like a token. Anyone who can read this definition can use it. Move it to a secret.',
          ),
          writtenToken,
        ),
    ),
  ];
}

function createFixes(
  document: vscode.TextDocument,
  problem: SecretDiagnostic,
  { secrets }: SecretProblemsDeps,
): readonly vscode.CodeAction[] {
  if (problem.code === writtenToken) {
    const title = vscode.l10n.t('Move to a Secret…');
    const place = { uri: document.uri.toString(), offset: document.offsetAt(problem.range.start) };
    return [toFix(problem, offerCommand('secret.moveToken', place, { title }))];
  }
  const { name } = problem;
  const meant = nearestWords(name, secrets.known.current?.keys() ?? []);
  const title = vscode.l10n.t('Create Secret "{0}"…', name);
  return [
    ...meant.map((word) => replaceName(document, problem, word)),
    toFix(problem, offerCommand('secret.create', { name }, { title })),
  ];
}

/** Replaces the name of the secret in the expression. */
function replaceName(
  document: vscode.TextDocument,
  problem: SecretDiagnostic,
  word: string,
): vscode.CodeAction {
  const { name, range } = problem;
  const fix = new vscode.CodeAction(vscode.l10n.t('Change to "{0}"', word), vscode.CodeActionKind.QuickFix);
  const reference = new RegExp(`(secrets\\s*\\.\\s*)${name}\\b`, 'g');
  fix.diagnostics = [problem];
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.replace(document.uri, range, document.getText(range).replace(reference, `$1${word}`));
  return fix;
}

function toFix(problem: vscode.Diagnostic, command: vscode.Command): vscode.CodeAction {
  const fix = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
  fix.diagnostics = [problem];
  fix.isPreferred = true;
  fix.command = command;
  return fix;
}

export function registerSecretProblems(deps: SecretProblemsDeps): Disposable {
  const { connections, definitionTexts, secrets } = deps;
  const collection = vscode.languages.createDiagnosticCollection('workflowAutomation.secrets');
  /** The open definitions of the local service. */
  const open = new Map<vscode.TextDocument, readonly SecretDiagnostic[]>();
  const look = (document: vscode.TextDocument): void => {
    const isLocal = !document.isClosed && isForLocalService(connections, document.uri);
    const problems = isLocal ? findProblems(document, definitionTexts.of(document), deps) : [];
    if (document.isClosed) open.delete(document);
    else open.set(document, problems);
    collection.set(document.uri, problems);
  };
  return combine(
    collection,
    definitionTexts.onDidRest(look),
    secrets.known.onDidChange(() => {
      for (const document of open.keys()) look(document);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (open.delete(document)) collection.delete(document.uri);
    }),
    vscode.languages.registerCodeActionsProvider(
      [{ scheme: 'workflow-definition' }, { pattern: '**/*.workflow.json' }],
      {
        // The editor hands over copies, which don't have the name.
        provideCodeActions: (document, _range, { diagnostics }) =>
          (open.get(document) ?? [])
            .filter((problem) =>
              diagnostics.some(({ code, range }) => code === problem.code && range.isEqual(problem.range)),
            )
            .flatMap((problem) => createFixes(document, problem, deps)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
