// The deployed definition as a read-only document in the format of its draft. It's updated while it's open.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { renderDefinition, toDefinition } from '../../model/definitions/definitionText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { findOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import { schemes } from '../../editor/ids.ts';
import { withSignal } from '../../editor/documents.ts';
import type { OpenDefinitions } from './openDefinitions.ts';
import { renderDeployed } from './renderDeployed.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { requireDeployedTarget } from '../../ui/addresses.ts';

export type DeployedDocumentsDeps = Pick<App, 'workflows' | 'deployedDocuments'>;

/** Returns the deployed definition. Throws a PlainError if the service doesn't return it. */
export function requireDeployedDefinition({ deployedDefinition }: Workflow): JsonObject {
  if (deployedDefinition !== null) return deployedDefinition;
  throw new PlainError(
    vscode.l10n.t('This service does not tell what is deployed, so there is nothing to compare with.'),
  );
}

/** The inputs that a document was rendered from. */
interface Source {
  readonly workflow: Workflow | undefined;
  readonly draft: string | undefined;
}

export function registerDeployedDocuments(
  { workflows, deployedDocuments }: DeployedDocumentsDeps,
  open: OpenDefinitions,
): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  const sources = new Map<string, Source>();

  const sourceOf = (target: WorkflowTarget): Source => {
    const uri = findOpenDefinition(target)?.uri;
    return { workflow: workflows.find(target), draft: uri && open.shown(uri)?.text };
  };
  const read = async (target: WorkflowTarget, token: vscode.CancellationToken): Promise<Workflow> => {
    const known = workflows.find(target);
    if (known !== undefined && (known.isDeployed === false || known.deployedDefinition !== null))
      return known;
    return withSignal(token, (signal) => workflows.read(target, signal));
  };
  /** Announces a change if the document would be rendered from other inputs. */
  const check = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme !== schemes.deployed) return;
    const [shown, now] = [sources.get(uri.toString()), sourceOf(requireDeployedTarget(uri))];
    if (shown?.workflow !== now.workflow || shown?.draft !== now.draft) changes.fire(uri);
  };
  const checkAll = (): void => vscode.workspace.textDocuments.forEach(check);

  owned.add(workflows.onDidChangeItems(checkAll));
  owned.add(open.onDidChangeFile(checkAll));
  owned.add(vscode.workspace.onDidSaveTextDocument(checkAll));
  owned.add(vscode.workspace.onDidOpenTextDocument(check));
  owned.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      sources.delete(uri.toString());
    }),
  );
  owned.add(
    deployedDocuments.attach({
      onDidChange: changes.event,
      provideTextDocumentContent: async (uri, token) => {
        const target = requireDeployedTarget(uri);
        const workflow = await read(target, token);
        const source = sourceOf(target);
        sources.set(uri.toString(), source);
        // The workflow isn't deployed.
        if (workflow.isDeployed === false) return '';
        const draft = source.draft ?? renderDefinition(toDefinition(workflow));
        return renderDeployed(draft, requireDeployedDefinition(workflow));
      },
    }),
  );
  return owned;
}
