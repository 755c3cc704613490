// What a service has of a linked file, as a read-only document in the file's format: for comparisons, and for the marks beside changed lines.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import { schemes } from '../../editor/ids.ts';
import { renderDefinition } from '../../model/workflows/workflowDefinition.ts';
import { requireAddress, serviceVersionAddress, serviceVersionUri } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { renderLike } from '../../workflowFiles/renderLike.ts';
import { connectionName } from '../../words/names.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import type { FolderStates } from './folderStates.ts';
import type { LinkedStates } from './linkedStates.ts';

/** A workflow of an environment, for the file that it's compared by. */
export interface VersionPlace {
  readonly target: WorkflowTarget;
  readonly file: vscode.Uri;
  readonly environment: string;
}

export class ServiceVersions implements vscode.TextDocumentContentProvider, Disposable {
  readonly #states: LinkedStates;
  readonly #connections: App['connections'];
  readonly #linkedFiles: App['linkedFiles'];
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;
  /** What each document was made of, or is announced to be made of now. */
  readonly #sources = new Map<string, ComparedFile>();
  /** The texts of versions of other environments, as they were compared. */
  readonly #given = new Map<string, string>();

  constructor(states: LinkedStates, { connections, linkedFiles }: Pick<App, 'connections' | 'linkedFiles'>) {
    this.#states = states;
    this.#connections = connections;
    this.#linkedFiles = linkedFiles;
    this.#owned.add(states.onDidChangeFiles(() => vscode.workspace.textDocuments.forEach(this.#check)));
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#sources.delete(uri.toString());
        this.#given.delete(uri.toString());
      }),
    );
  }

  /** undefined for a file whose workflow isn't known. */
  uriOf(uri: vscode.Uri): vscode.Uri | undefined {
    const { folder: states, file } = this.#states.find(uri) ?? {};
    const target = states && file && states.targetOf(file);
    if (target === undefined || file?.workflow === undefined) return undefined;
    return serviceVersionUri(target, connectionName(this.#connections, target.connectionId), uri);
  }

  /** The same, also before it's known whether the service still has the workflow. */
  originalOf(uri: vscode.Uri): vscode.Uri | undefined {
    const known = this.#states.find(uri);
    if (known !== undefined && known.file.workflow === undefined) return undefined;
    const target = this.#linkedFiles.find(uri)?.target;
    return target && serviceVersionUri(target, connectionName(this.#connections, target.connectionId), uri);
  }

  /** Shows what two environments have (left: that to be changed), as they were compared. */
  async showBetween(
    { file, here, there }: ComparedFile,
    from: VersionPlace,
    to: VersionPlace,
  ): Promise<readonly string[]> {
    const sides = [
      this.#give(to, there === undefined ? '' : renderDefinition(there)),
      this.#give(from, here === undefined ? '' : renderDefinition(here)),
    ] as const;
    const title = vscode.l10n.t('{0}: {1} ↔ {2}', file, to.environment, from.environment);
    await vscode.commands.executeCommand('vscode.diff', ...sides, title, { preserveFocus: true });
    return sides.map((uri) => uri.toString());
  }

  /** Empty where the service has none. Rejects with a ServiceError, and with FileNotFound for what isn't compared any more. */
  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const given = this.#given.get(uri.toString());
    if (given !== undefined) return given;
    const address = requireAddress(uri, serviceVersionAddress);
    return withSignal(token, async (signal) => {
      const { folder: states, file } = (await this.#findListed(address.file)) ?? {};
      if (states === undefined || file === undefined) return '';
      if (isOther(address.target, states.targetOf(file))) throw vscode.FileSystemError.FileNotFound(uri);
      const there = await states.readThere(file, signal);
      this.#sources.set(uri.toString(), file);
      return there === undefined ? '' : renderAs(file, there);
    });
  }

  /** Shows what the service has (left) beside the file (right), or the only one of the two. Returns the URIs of what is shown. */
  async showDifference(
    states: FolderStates,
    file: ComparedFile,
    { preserveFocus = false } = {},
  ): Promise<readonly string[]> {
    const uri = states.uriOf(file.file);
    const left = this.uriOf(uri);
    if (left === undefined || file.text === undefined) {
      const only = left ?? uri;
      await vscode.commands.executeCommand('vscode.open', only, { preserveFocus });
      return [only.toString()];
    }
    const title = vscode.l10n.t('{0}: {1} ↔ file', file.file, states.folder.environment ?? '');
    await vscode.commands.executeCommand('vscode.diff', left, uri, title, { preserveFocus });
    return [left.toString(), uri.toString()];
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** The editor may ask before the service was asked for anything. */
  async #findListed(uri: vscode.Uri): Promise<ReturnType<LinkedStates['find']>> {
    await this.#linkedFiles.load();
    const states = this.#states.folderOf(uri);
    if (states?.askedAt === undefined) await states?.list();
    const found = this.#states.find(uri);
    if (found === undefined && states?.problem instanceof Error) throw states.problem;
    return found;
  }

  #give({ target, file, environment }: VersionPlace, text: string): vscode.Uri {
    const uri = serviceVersionUri(target, environment, file, environment);
    this.#given.set(uri.toString(), text);
    this.#changes.fire(uri);
    return uri;
  }

  /**
   * Announces a change if the document would be made of something else, once for each: where the service can't be asked, the editor's next
   * request fails, and is itself a reason to look again.
   */
  readonly #check = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme !== schemes.service) return;
    const address = serviceVersionAddress(uri);
    const { folder: states, file: now } = (address && this.#states.find(address.file)) ?? {};
    // The file is compared with another service by now.
    if (address && now && isOther(address.target, states?.targetOf(now))) return;
    const shown = this.#sources.get(uri.toString());
    const isSame =
      shown?.text === now?.text && shown?.workflow === now?.workflow && shown?.there === now?.there;
    if (isSame) return;
    if (now === undefined) this.#sources.delete(uri.toString());
    else this.#sources.set(uri.toString(), now);
    this.#changes.fire(uri);
  };
}

function isOther(target: WorkflowTarget, now: WorkflowTarget | undefined): boolean {
  return now !== undefined && targetName(now) !== targetName(target);
}

/** As the file formats it, so that only real differences show. */
function renderAs({ text }: ComparedFile, there: JsonObject): string {
  return text === undefined ? renderDefinition(there) : renderLike(text, there);
}
