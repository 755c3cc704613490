// The language status of a file beside a workflows.json: its environment and connection, or what it lacks.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { plainLine, withoutIcons, withoutIconsAndLinks } from '../../../base/format.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { pathWithin } from '../../../editor/documents/workspaceFiles.ts';
import { definitionSelector } from '../../../editor/ids.ts';
import type { App } from '../../../ui/app.ts';
import type { LinkedFile } from '../../../ui/linkedFiles.ts';
import { connectionName } from '../../../words/names.ts';
import { workflowsFileName } from '../../../workflowFiles/workflowsFile.ts';

export type LinkStatusDeps = Pick<App, 'connections' | 'linkedFiles' | 'workflows'>;

interface StatusDeps extends Pick<App, 'connections' | 'workflows'> {
  readonly linkedFiles: Pick<App['linkedFiles'], 'find' | 'folders'>;
}

interface LinkStatus {
  readonly text: string;
  readonly detail: string;
  readonly isWarning: boolean;
  readonly command: vscode.Command;
}

/** Shows nothing for a document that isn't linked. */
export function registerLinkStatus(deps: LinkStatusDeps): Disposable {
  const owned = new DisposableStore();
  let item: vscode.LanguageStatusItem | undefined;
  const update = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const status = uri && findStatus(deps, uri);
    if (status === undefined) {
      item?.dispose();
      item = undefined;
      return;
    }
    item ??= vscode.languages.createLanguageStatusItem('workflowAutomation.link', definitionSelector);
    item.name = vscode.l10n.t('Linked Workflow');
    item.text = status.text;
    item.detail = status.detail;
    item.command = status.command;
    const { Information, Warning } = vscode.LanguageStatusSeverity;
    item.severity = status.isWarning ? Warning : Information;
  };
  owned.add(vscode.window.onDidChangeActiveTextEditor(update));
  owned.add(deps.linkedFiles.onDidChange(update));
  owned.add(deps.connections.all.onDidChange(update));
  owned.add(deps.workflows.onDidChangeItems(update));
  owned.add({ dispose: () => item?.dispose() });
  update();
  return owned;
}

/** undefined: the document isn't linked. */
export function findStatus(deps: StatusDeps, uri: vscode.Uri): LinkStatus | undefined {
  const status = readStatus(deps, uri);
  // Names and reasons come from outside.
  return (
    status && {
      ...status,
      text: withoutIcons(status.text),
      detail: withoutIconsAndLinks(status.detail),
    }
  );
}

function readStatus(deps: StatusDeps, uri: vscode.Uri): LinkStatus | undefined {
  const file = deps.linkedFiles.find(uri);
  if (file !== undefined) return statusOf(deps, file, uri);
  const broken = deps.linkedFiles.folders.find(
    ({ uri: folder, problem }) => problem !== undefined && pathWithin(folder, uri) !== undefined,
  );
  return broken && lacking(broken.uri, vscode.l10n.t("{0} can't be read", workflowsFileName), broken.problem);
}

function statusOf(
  { connections, workflows }: StatusDeps,
  { folder, workflowId, target }: LinkedFile,
  uri: vscode.Uri,
): LinkStatus {
  const { environment, file } = folder;
  const found = environment === undefined ? undefined : file?.environments.get(environment);
  if (environment === undefined || found === undefined)
    return lacking(
      folder.uri,
      vscode.l10n.t('No default environment'),
      vscode.l10n.t('{0} must name one of its environments as "default".', workflowsFileName),
    );
  if (folder.connectionId === undefined)
    return {
      text: vscode.l10n.t('{0}: not connected', plainLine(environment, 40)),
      detail: plainLine(found.url, 100),
      isWarning: true,
      command: offerCommand(
        'connection.add',
        { baseUrl: found.url, kind: found.kind },
        { title: vscode.l10n.t('Connect…') },
      ),
    };
  const name = plainLine(connectionName(connections, folder.connectionId), 40);
  const workflow = target && workflows.find(target);
  return {
    text: `${plainLine(environment, 40)}: ${name}`,
    detail:
      workflowId === undefined
        ? vscode.l10n.t('Has no workflow on {0} yet', plainLine(environment, 40))
        : vscode.l10n.t('Linked to "{0}"', plainLine(workflow?.name ?? workflowId, 80)),
    isWarning: false,
    command: offerCommand(
      'files.pushFile',
      { linkedFile: uri.toString() },
      { title: vscode.l10n.t('Push'), tooltip: vscode.l10n.t('Saving changes the file only.') },
    ),
  };
}

/** Something in the workflows.json must be changed. */
function lacking(folder: vscode.Uri, text: string, detail = ''): LinkStatus {
  const title = vscode.l10n.t('Open {0}', workflowsFileName);
  const uri = vscode.Uri.joinPath(folder, workflowsFileName);
  return { text, detail, isWarning: true, command: { command: 'vscode.open', title, arguments: [uri] } };
}
