// A linked folder in the editor's view of source control: its files by how they stand to their workflows.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { offerCommand, type PersonsArgument } from '../../editor/commands.ts';
import { sourceControlId } from '../../editor/ids.ts';
import type { FolderStates, StatedFile } from './folderStates.ts';
import { type DifferentState, stateLooks } from './stateWords.ts';

const differentStates = Object.keys(stateLooks).filter(
  (state): state is DifferentState => state in stateLooks,
);

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
        .filter((file) => file.state === state)
        .map((file) => rowOf(this.#states.uriOf(file.file), state, environment));
    this.#provider.count = files.filter(isDifferent).length;
    const { notice } = this.#states;
    this.#provider.statusBarCommands = notice === undefined ? [] : [notice];
  }
}

const isDifferent = ({ state }: StatedFile): boolean => state !== 'same';

function rowOf(uri: vscode.Uri, state: DifferentState, environment: string): FileRow {
  const { id, describe } = stateLooks[state];
  const linkedFile = uri.toString();
  const tooltip = describe(environment);
  const hasBoth = state === 'changed here' || state === 'changed there' || state === 'both changed';
  const isThere = hasBoth || state === 'only there';
  return {
    kind: 'workflowFile',
    invokedBy: 'person',
    linkedFile,
    resourceUri: uri,
    contextValue: id,
    command: isThere
      ? offerCommand('files.compare', { linkedFile }, { title: vscode.l10n.t('Compare with Service') })
      : offerCommand('files.openFile', { linkedFile }, { title: vscode.l10n.t('Open File') }),
    decorations: { tooltip, strikeThrough: state === 'deleted there', faded: state === 'only there' },
  };
}
