// Compares the deployed definition (left), a read-only document in the format of its draft, with the draft (right).
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { findDocument, withSignal } from '../../editor/documents/documents.ts';
import { plainLine } from '../../base/format.ts';
import { schemes } from '../../editor/ids.ts';
import { PlainError } from '../../editor/plainError.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import { deployedTarget, deployedUri, requireAddress } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { findServiceDocument } from '../../ui/pickers/openDefinition.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import type { OpenDefinitions, ReadDefinition } from './files/openDefinitions.ts';
import { renderDeployed } from '../../workflowFiles/renderLike.ts';
import { showMessage } from '../../editor/prompts/prompts.ts';

type CompareDeps = Pick<App, 'commands' | 'connections' | 'workflows' | 'clock' | 'deployedDocuments'>;

type ReadWorkflows = Pick<App['workflows'], 'find' | 'onDidChangeItems' | 'read'>;

export function registerCompareWithDeployed(
  deps: CompareDeps,
  open: OpenDefinitions,
  read: ReadDefinition,
): Disposable {
  const documents = new DeployedDocuments(deps.workflows, open);
  return combine(documents, deps.deployedDocuments.attach(documents), registerCommand(deps, read));
}

function registerCommand(deps: CompareDeps, read: ReadDefinition): Disposable {
  return deps.commands.register('workflow.compareWithDeployed', {
    ask: () =>
      pickWorkflow(deps, {
        accepts: mayDiffer,
        none: new PlainError(vscode.l10n.t('No workflows have been edited since they were deployed.')),
      }),
    run: async (target, { isInteractive }) => {
      const { uri, snapshot } = await read(target);
      const { workflow } = snapshot;
      const name = plainLine(workflow.name, 80);
      if (workflow.isDeployed === false)
        throw new PlainError(
          vscode.l10n.t('"{0}" isn\'t deployed, so there\'s nothing to compare its draft with.', name),
        );
      requireDeployedDefinition(workflow);
      const isDifferent = workflow.hasUndeployedChanges === true;
      const isEdited = findDocument(uri)?.isDirty === true;
      if (isDifferent || isEdited) await showDiff(deployedUri(uri), uri, name);
      else if (isInteractive)
        void showMessage(
          'information',
          vscode.l10n.t('The draft of "{0}" is the same as the deployed version.', name),
        );
      return { workflowId: target.workflowId, isDifferent };
    },
  });
}

/** False only if the service says that there are no differences. */
function mayDiffer({ isDeployed, hasUndeployedChanges }: Workflow): boolean {
  return isDeployed !== false && hasUndeployedChanges !== false;
}

async function showDiff(left: vscode.Uri, right: vscode.Uri, name: string): Promise<void> {
  const title = vscode.l10n.t('{0}: deployed ↔ draft', name);
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
}

/** Returns the deployed definition. Throws a PlainError if the service doesn't return it. */
function requireDeployedDefinition({ deployedDefinition }: Workflow): JsonObject {
  if (deployedDefinition !== null) return deployedDefinition;
  throw new PlainError(
    vscode.l10n.t("The service doesn't report the deployed version, so there's nothing to compare with."),
  );
}

/** The inputs that a document was rendered from. */
interface Source {
  readonly workflow: Workflow | undefined;
  readonly draft: string | undefined;
}

/** The deployed definitions as documents, which are updated while they're open. */
export class DeployedDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #workflows: ReadWorkflows;
  readonly #open: OpenDefinitions;
  readonly #sources = new Map<string, Source>();
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;

  constructor(workflows: ReadWorkflows, open: OpenDefinitions) {
    this.#workflows = workflows;
    this.#open = open;
    const checkAll = (): void => vscode.workspace.textDocuments.forEach(this.#check);
    this.#owned.add(workflows.onDidChangeItems(checkAll));
    this.#owned.add(open.onDidChangeFile(checkAll));
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(checkAll));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(this.#check));
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#sources.delete(uri.toString());
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const target = requireAddress(uri, deployedTarget);
    const workflow = await this.#read(target, token);
    const source = this.#sourceOf(target);
    this.#sources.set(uri.toString(), source);
    // The workflow isn't deployed.
    if (workflow.isDeployed === false) return '';
    const draft = source.draft ?? this.#open.render(target, toDefinition(workflow));
    return renderDeployed(draft, requireDeployedDefinition(workflow));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #read(target: WorkflowTarget, token: vscode.CancellationToken): Promise<Workflow> {
    const known = this.#workflows.find(target);
    if (known !== undefined && (known.isDeployed === false || known.deployedDefinition !== null))
      return known;
    return withSignal(token, (signal) => this.#workflows.read(target, signal));
  }

  #sourceOf(target: WorkflowTarget): Source {
    const uri = findServiceDocument(target)?.uri;
    return { workflow: this.#workflows.find(target), draft: uri && this.#open.shown(uri)?.text };
  }

  /** Announces a change if the document would be rendered from other inputs. */
  readonly #check = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme !== schemes.deployed) return;
    const shown = this.#sources.get(uri.toString());
    const now = this.#sourceOf(requireAddress(uri, deployedTarget));
    if (shown?.workflow !== now.workflow || shown?.draft !== now.draft) this.#changes.fire(uri);
  };
}
