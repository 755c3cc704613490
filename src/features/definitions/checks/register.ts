// Shows what is wrong with definitions: while they are written, and what a service refuses to deploy.
import * as vscode from 'vscode';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../base/format.ts';
import { showMessage } from '../../../editor/prompts/prompts.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { type ChecksDeps, ChecksWhileTyping } from './checksWhileTyping.ts';
import { ParameterChecks } from './parameterChecks.ts';
import type { DefinitionProblems, RefusedPart } from './definitionProblems.ts';

type RegisterDeps = ChecksDeps & Pick<App, 'actions' | 'clock' | 'commands' | 'services' | 'workflows'>;

/** Reads a definition into its document. */
type Read = (target: WorkflowTarget) => Promise<{ readonly uri: vscode.Uri }>;

export function registerChecks(deps: RegisterDeps, problems: DefinitionProblems, read: Read): Disposable {
  const checks = new ChecksWhileTyping(deps, problems);
  return combine(
    checks,
    new ParameterChecks(deps, problems),
    showRefusals(deps, problems),
    registerCommand(deps, checks, problems, read),
  );
}

/** How many refusals are remembered for definitions that aren't open. */
const maximumRefusals = 20;

/** Shows what the service refused to deploy, once the definition is open, until it's deployed. */
function showRefusals(
  { actions, definitionTargets }: Pick<RegisterDeps, 'actions' | 'definitionTargets'>,
  problems: DefinitionProblems,
): Disposable {
  const owned = new DisposableStore();
  const waiting = new BoundedMap<string, readonly RefusedPart[]>(maximumRefusals);
  owned.add(
    actions.onDidReceiveDeployment(({ target, faults }) => {
      const document = definitionTargets.findOpen(target);
      if (document !== undefined) problems.showRefused(document, 'deploy', faults);
      else if (faults.length > 0) waiting.set(targetName(target), faults);
      else waiting.delete(targetName(target));
    }),
  );
  const show = (document: vscode.TextDocument): void => {
    const target = definitionTargets.ofEdited(document.uri);
    const faults = target && waiting.get(targetName(target));
    if (target === undefined || faults === undefined) return;
    waiting.delete(targetName(target));
    problems.showRefused(document, 'deploy', faults);
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(show));
  owned.add(definitionTargets.onDidChange(() => vscode.workspace.textDocuments.forEach(show)));
  return owned;
}

function registerCommand(
  deps: RegisterDeps,
  checks: ChecksWhileTyping,
  problems: DefinitionProblems,
  read: Read,
): Disposable {
  return deps.commands.register('workflow.showProblems', {
    ask: () => pickWorkflow(deps),
    run: async (target, { isInteractive }) => {
      const uri = deps.definitionTargets.findOpen(target)?.uri ?? (await read(target)).uri;
      const editor = await vscode.window.showTextDocument(uri, { preview: false });
      const { document } = editor;
      const isChecked = await checks.check(document);
      const found = problems.list(document);
      const [first] = found;
      if (first !== undefined) reveal(editor, first.offset);
      else if (isInteractive) {
        const name = plainLine(deps.workflows.find(target)?.name ?? target.workflowId, 80);
        const text = isChecked
          ? vscode.l10n.t('No problems found in "{0}".', name)
          : vscode.l10n.t('"{0}" can\'t be checked here. The service checks it when you deploy it.', name);
        void showMessage('information', text);
      }
      return found.map(({ offset, message }) => {
        const { line, character } = document.positionAt(offset);
        return { message: plainLine(message), line: line + 1, column: character + 1 };
      });
    },
  });
}

function reveal(editor: vscode.TextEditor, offset: number): void {
  const position = editor.document.positionAt(offset);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}
