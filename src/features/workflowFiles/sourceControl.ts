// A linked folder in the editor's view of source control: its files by how they stand to their workflows.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { plainLine, withoutIcons } from '../../base/format.ts';
import { offerCommand, type PersonsArgument } from '../../editor/commands.ts';
import { sourceControlId } from '../../editor/ids.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { describeError } from '../../ui/words/describeError.ts';
import type { FolderStates } from './folderStates.ts';
import { describeState, type DifferentState, differentStates, shownState, stateLooks } from './stateWords.ts';

/** A row. Its members are what its menus pass. */
interface FileRow extends vscode.SourceControlResourceState, PersonsArgument {
  readonly kind: 'workflowFile';
  readonly linkedFile: string;
}

/** The original of a file, if the file is one of the folder's. */
type FindOriginal = (uri: vscode.Uri) => vscode.Uri | undefined;

export class FolderSourceControl implements Disposable {
  readonly #states: FolderStates;
  readonly #owned = new DisposableStore();
  readonly #provider: vscode.SourceControl;
  readonly #groups = new Map<DifferentState, vscode.SourceControlResourceGroup>();

  constructor(states: FolderStates, findOriginal: FindOriginal) {
    this.#states = states;
    const { uri } = states.folder;
    this.#provider = this.#owned.add(
      vscode.scm.createSourceControl(sourceControlId, vscode.l10n.t('Workflow Files'), uri),
    );
    this.#provider.inputBox.visible = false;
    this.#provider.inputBox.enabled = false;
    this.#provider.quickDiffProvider = { provideOriginalResource: findOriginal };
    for (const state of differentStates) {
      const { id, heading } = stateLooks[state];
      const group = this.#owned.add(this.#provider.createResourceGroup(id, heading()));
      group.hideWhenEmpty = true;
      this.#groups.set(state, group);
    }
    this.#owned.add(states.onDidChange(() => this.#show()));
    this.#show();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(): void {
    const { files, folder } = this.#states;
    const environment = plainLine(folder.environment ?? '', 80);
    for (const [state, group] of this.#groups)
      group.resourceStates = files
        .filter((file) => shownState(file) === state)
        .map((file) => rowOf(this.#states.uriOf(file.file), state, describeState(file, environment)));
    this.#provider.count = files.filter(isCounted).length;
    this.#provider.statusBarCommands = noticesOf(this.#states);
  }
}

/** Workflows without a file aren't counted: who linked some of a service's may want no others. */
function isCounted(file: ComparedFile): boolean {
  const state = shownState(file);
  return state !== undefined && state !== 'only there';
}

/** Which environment it is, or what keeps it from being compared. */
function noticesOf({ folder, problem }: FolderStates): vscode.Command[] {
  const { environment, connectionId, file } = folder;
  const name = withoutIcons(plainLine(environment ?? '', 80));
  const settings = environment === undefined ? undefined : file?.environments.get(environment);
  if (settings !== undefined && connectionId === undefined) {
    const { url: baseUrl, kind } = settings;
    const title = vscode.l10n.t('$(warning) No connection to {0}', name);
    return [
      offerCommand('connection.add', { baseUrl, kind }, { title, tooltip: vscode.l10n.t('Add Connection…') }),
    ];
  }
  const words = problem === undefined ? folder.problem : describeError(problem).message;
  const title = words === undefined ? `$(cloud) ${name}` : `$(warning) ${name}`;
  const tooltip = words ?? vscode.l10n.t('Refresh Workflow Files');
  return [offerCommand('files.refresh', { folder: folder.uri.toString() }, { title, tooltip })];
}

function rowOf(uri: vscode.Uri, state: DifferentState, tooltip: string): FileRow {
  const { id } = stateLooks[state];
  const linkedFile = uri.toString();
  const hasBoth = state === 'changed here' || state === 'changed there' || state === 'both changed';
  const isThere = hasBoth || state === 'only there';
  return {
    kind: 'workflowFile',
    invokedBy: 'person',
    linkedFile,
    resourceUri: uri,
    contextValue: id,
    command: isThere
      ? offerCommand(
          'files.compare',
          { linkedFile, preserveFocus: true },
          { title: vscode.l10n.t('Compare with Service') },
        )
      : offerCommand(
          'files.openFile',
          { linkedFile, preserveFocus: true },
          { title: vscode.l10n.t('Open File') },
        ),
    decorations: { tooltip, strikeThrough: state === 'deleted there', faded: state === 'only there' },
  };
}
