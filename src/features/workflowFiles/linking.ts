// Link a Folder: from a connection to files in three answers: which connection, which folder, which workflows.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import type { Connection } from '../../domain/connection.ts';
import { checkRows } from '../../editor/prompts/checkRows.ts';
import { askFolder } from '../../editor/prompts/dialogs.ts';
import { type Choice, choose, withLateProgress } from '../../editor/prompts/prompts.ts';
import { chooseConnection, requireActiveConnection } from '../../ui/activeConnection.ts';
import { isServiceOf, type LinkedFolder } from '../../ui/linkedFiles.ts';
import { describeDeployment } from '../../ui/pickers/workflowPicker.ts';
import type { MessageAction } from '../../ui/transfer.ts';
import { addEnvironment, renderWorkflowsFile } from '../../workflowFiles/editWorkflowsFile.ts';
import { fileStem } from '../../workflowFiles/fileNames.ts';
import type { StepResult } from '../../workflowFiles/steps.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { type Plan, planPull } from '../../workflowFiles/plan.ts';
import {
  type FilesEnvironment,
  maximumWorkflowsFile,
  readWorkflowsFile,
  variablePart,
  workflowsFileName,
} from '../../workflowFiles/workflowsFile.ts';
import { carryOutForCode, carryOutForPerson } from './carrying.ts';
import { EditorFolder } from './editorFolder.ts';
import type { FilesDeps } from './filesDeps.ts';
import { compareWith, type OpenComparison } from './openComparison.ts';
import { requireTrust } from './folderChoice.ts';
import { dueSteps, narrowPlan } from './planPick.ts';

type LinkingDeps = Omit<FilesDeps, 'contextKeys' | 'serviceDocuments' | 'versions'>;

export function registerLinkFolder(deps: LinkingDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register('files.linkFolder', {
    ask: () => Promise.resolve({ folder: undefined, connectionId: '' }),
    run: async ({ folder, connectionId, workflowIds, environment }, { isInteractive }) => {
      requireTrust();
      const connection = isInteractive ? await askConnection(deps) : connections.get(connectionId);
      const uri = folder === undefined ? await askLinkedFolder() : vscode.Uri.parse(folder, true);
      const linked = await readFolder(uri, connection, environment);
      const link: Linking = { uri, connection, linked };
      const files = isInteractive ? await linkChosen(deps, link) : await linkForCode(deps, link, workflowIds);
      return { folder: uri.toString(), files };
    },
  });
}

async function askConnection({ connections }: LinkingDeps): Promise<Connection> {
  const active = requireActiveConnection(connections);
  const others = connections.all.current.filter(({ id }) => id !== active.id);
  if (others.length === 0) return active;
  const title = vscode.l10n.t('Select the connection whose workflows become files');
  return chooseConnection(connections, title, [active, ...others]);
}

async function askLinkedFolder(): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const inside = folders.map((folder): Choice<vscode.Uri> => {
    const uri = vscode.Uri.joinPath(folder.uri, 'workflows');
    return { icon: 'new-folder', label: vscode.workspace.asRelativePath(uri, true), value: uri };
  });
  const whole = folders.map(({ uri, name }): Choice<vscode.Uri> => ({
    icon: 'folder',
    label: plainLine(name),
    value: uri,
  }));
  const elsewhere: Choice<vscode.Uri | undefined> = {
    icon: 'folder-opened',
    label: vscode.l10n.t('Choose Another Folder…'),
    value: undefined,
  };
  const chosen = await choose<vscode.Uri | undefined>(vscode.l10n.t('Select the folder for the files'), [
    ...inside,
    ...whole,
    elsewhere,
  ]);
  if (chosen !== undefined) return chosen;
  return askFolder({ openLabel: vscode.l10n.t('Link Here'), title: vscode.l10n.t('Link a Folder') });
}

interface Linking {
  readonly uri: vscode.Uri;
  readonly connection: Connection;
  readonly linked: NewLink;
}

/** What workflows.json says once it's written. */
interface NewLink {
  readonly text: string;
  readonly isNew: boolean;
  readonly environment: string;
}

/** Reads what the folder has. Throws a FilesError for a workflows.json that can't be read. */
async function readFolder(
  uri: vscode.Uri,
  connection: Connection,
  wanted: string | undefined,
): Promise<NewLink> {
  const text = await new EditorFolder(uri).read(workflowsFileName, maximumWorkflowsFile);
  const added: FilesEnvironment = {
    url: connection.baseUrl,
    kind: connection.kind === 'n8n' ? 'n8n' : 'service',
    isGuarded: false,
  };
  if (text === undefined) {
    const environment = wanted ?? environmentName(connection, []);
    return { text: renderWorkflowsFile(environment, added), isNew: true, environment };
  }
  const { environments } = readWorkflowsFile(text);
  const known = [...environments].find(([, environment]) => isServiceOf(connection, environment));
  if (known !== undefined) return { text, isNew: false, environment: known[0] };
  const environment = wanted ?? environmentName(connection, [...environments.keys()]);
  return { text: addEnvironment(text, environment, added), isNew: true, environment };
}

/** The name of the connection, as a file and a variable can be named: "Local service" is "local-service". */
export function environmentName({ name }: Pick<Connection, 'name'>, taken: readonly string[]): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = fileStem(words.join('-').slice(0, 60));
  const stem = plain === '' ? 'service' : plain;
  let free = stem;
  // No two environments may share the variable of a key.
  const variables = new Set(taken.map(variablePart));
  for (let number = 2; variables.has(variablePart(free)); number += 1) free = `${stem}-${number}`;
  return free;
}

/** Compares as if workflows.json were written. */
async function compareNew(
  { workflows, actions, services }: LinkingDeps,
  { uri, connection: { id: connectionId }, linked: { text, environment } }: Linking,
  signal: AbortSignal,
): Promise<OpenComparison> {
  const folder: LinkedFolder = { uri, file: readWorkflowsFile(text), environment, connectionId };
  const service = { connectionId, workflows, actions, services };
  return compareWith(folder, environment, service, { reads: false, signal });
}

async function linkForCode(
  deps: LinkingDeps,
  link: Linking,
  workflowIds: readonly string[] | undefined,
): Promise<readonly string[]> {
  const open = await compareNew(deps, link, new AbortController().signal);
  const isWanted = ({ workflowId = '' }: ComparedFile): boolean =>
    workflowIds?.includes(workflowId) !== false;
  const plan = newFiles(open, isWanted);
  await writeLink(link);
  const results = await carryOutForCode(deps, plan, open);
  return filesDone(results);
}

async function linkChosen(deps: LinkingDeps, link: Linking): Promise<readonly string[]> {
  const { uri, connection } = link;
  const name = plainLine(connection.name, 80);
  const open = await withLateProgress(deps, vscode.l10n.t('Reading the workflows of {0}…', name), (signal) =>
    compareNew(deps, link, signal),
  );
  const all = newFiles(open, () => true);
  const chosen = await checkRows(
    {
      title: vscode.l10n.t('Link a Folder'),
      placeholder: vscode.l10n.t('Select the workflows that become files'),
      present: (error) => deps.commands.present(error),
    },
    [
      {
        heading: '',
        rows: dueSteps(all).map(({ compared: { file, workflow } }) => ({
          icon: 'file',
          label: plainLine(workflow?.name ?? file),
          description: workflow === undefined ? '' : describeDeployment(workflow),
          detail: file,
          value: file,
          isChecked: true,
        })),
      },
    ],
  );
  await writeLink(link);
  const isInWindow = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const path = plainLine(vscode.workspace.asRelativePath(uri, true), 120);
  const results = await carryOutForPerson(deps, narrowPlan(all, new Set(chosen)), open, {
    title: vscode.l10n.t('Linking workflows'),
    describeDone: ({ length }) =>
      length === 1
        ? vscode.l10n.t('1 workflow of {0} is linked to "{1}".', name, path)
        : vscode.l10n.t('{0} workflows of {1} are linked to "{2}".', length, name, path),
    actionsFor: () => [isInWindow ? openSourceControl : openFolder(uri)],
  });
  return filesDone(results);
}

const openSourceControl: MessageAction = {
  title: vscode.l10n.t('Open Source Control'),
  run: async () => {
    await vscode.commands.executeCommand('workbench.view.scm');
  },
};

function openFolder(uri: vscode.Uri): MessageAction {
  return {
    title: vscode.l10n.t('Open Folder'),
    run: async () => {
      await vscode.commands.executeCommand('vscode.openFolder', uri);
    },
  };
}

/** Pulls the workflows that have no file yet. */
function newFiles({ comparison }: OpenComparison, isWanted: (file: ComparedFile) => boolean): Plan {
  const plan = planPull(comparison);
  const wanted = plan.steps.filter(({ action, compared }) => action === 'create' && isWanted(compared));
  return narrowPlan(
    { ...plan, steps: plan.steps.filter(({ action }) => action === 'create' || action === 'nothing') },
    new Set(wanted.map(({ compared }) => compared.file)),
  );
}

/** Into workflows.json as it is now: others may have changed it meanwhile. */
async function writeLink({ uri, connection, linked: { environment } }: Linking): Promise<void> {
  const { text, isNew } = await readFolder(uri, connection, environment);
  if (isNew) await new EditorFolder(uri).write(workflowsFileName, text);
}

function filesDone(results: readonly StepResult[]): readonly string[] {
  return results.flatMap(({ kind, step }) =>
    kind === 'done' && step.action === 'create' ? [step.compared.file] : [],
  );
}
