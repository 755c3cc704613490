// How the files of one linked folder stand to their workflows, as far as it was read.
import * as vscode from 'vscode';
import { isAbortError, oneAtATime } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { pathWithin } from '../../editor/documents/workspaceFiles.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import type { App } from '../../ui/app.ts';
import type { LinkedFolder } from '../../ui/linkedFiles.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import type { FilesService } from '../../workflowFiles/ports.ts';
import {
  type CompareOptions,
  compareWith,
  type OpenComparison,
  requireService,
  type ServiceDeps,
} from './openComparison.ts';

export type FolderStatesDeps = ServiceDeps & Pick<App, 'clock'>;

type ListWhole = FilesService['workflows']['listWhole'];

export class FolderStates implements Disposable {
  readonly #deps: FolderStatesDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #ended = new AbortController();
  /** Fires when files were compared again, or couldn't be. */
  readonly onDidChange = this.#changes.event;
  #folder: LinkedFolder;
  /** What the service's list said last. */
  #listed: readonly Workflow[] | undefined;
  #askedAt: number | undefined;
  #files: readonly ComparedFile[] = [];
  #byUri: ReadonlyMap<string, ComparedFile> = new Map();
  #problem: unknown;
  /** Comparisons run one after the other: the last one counts. */
  readonly #inTurn = oneAtATime();
  #refreshing: Promise<void> | undefined;

  constructor(deps: FolderStatesDeps, folder: LinkedFolder) {
    this.#deps = deps;
    this.#folder = folder;
  }

  get folder(): LinkedFolder {
    return this.#folder;
  }

  /** By the names of the files; none until the service was asked. */
  get files(): readonly ComparedFile[] {
    return this.#files;
  }

  /** Why the last attempt to read or compare failed; undefined if it didn't. */
  get problem(): unknown {
    return this.#problem;
  }

  /** When the service was last asked for its list, in epoch milliseconds. */
  get askedAt(): number | undefined {
    return this.#askedAt;
  }

  uriOf(file: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder.uri, ...file.split('/'));
  }

  /** The path of a file in it, from the folder on. */
  pathOf(uri: vscode.Uri): string {
    return pathWithin(this.#folder.uri, uri) ?? '';
  }

  find(uri: vscode.Uri): ComparedFile | undefined {
    return this.#byUri.get(uri.toString());
  }

  targetOf({ workflowId }: ComparedFile): WorkflowTarget | undefined {
    const { connectionId } = this.#folder;
    return workflowId === undefined || connectionId === undefined ? undefined : { connectionId, workflowId };
  }

  /** Takes over what workflows.json says now. Another environment or connection is another service. */
  replace(folder: LinkedFolder): void {
    const before = this.#folder;
    this.#folder = folder;
    if (!isSameService(before, folder)) {
      this.#listed = undefined;
      this.#askedAt = undefined;
      this.#refreshing = undefined;
      this.#take([]);
    }
    void this.compareAgain();
  }

  /** Asks for the list and for each definition that may have changed. Rejects with what the service or the folder rejects with. */
  async compareWhole(signal: AbortSignal): Promise<OpenComparison> {
    return this.#compare(this.#listing('asked'), { reads: true, signal });
  }

  /** Asks for the list alone. Those who ask meanwhile get the same one. Rejects like `compareWhole`. */
  list(purpose: Purpose = 'asked'): Promise<void> {
    if (this.#refreshing !== undefined) return this.#refreshing;
    const refreshing = this.#compare(this.#listing(purpose), { reads: false, signal: this.#ended.signal })
      .then(() => undefined)
      .finally(() => {
        // Another service may be asked by now.
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      });
    this.#refreshing = refreshing;
    return refreshing;
  }

  /** The same for what has just been done: a list that is on its way may be older. Those who ask before it begins get the same one. */
  async listAnew(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    return this.list();
  }

  /** Compares with what the list said last, without a request. Does nothing until there was one. */
  async compareAgain(): Promise<void> {
    const rows = this.#listed;
    if (rows === undefined || this.#folder.connectionId === undefined) {
      this.#changes.fire();
      return;
    }
    const options = { reads: false, signal: this.#ended.signal };
    // A list that is on its way when this is asked for counts, since this comes after it.
    await this.#compare(() => Promise.resolve(this.#listed ?? rows), options).catch(() => undefined);
  }

  /** The service's definition of a file; asks for what wasn't listed. undefined: the service has none. */
  async readThere(file: ComparedFile, signal: AbortSignal): Promise<JsonObject | undefined> {
    if (file.there !== undefined) return file.there;
    const target = this.targetOf(file);
    if (target === undefined || file.workflow === undefined) return undefined;
    return toDefinition(await this.#deps.workflows.read(target, signal));
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  #take(files: readonly ComparedFile[]): void {
    this.#files = files;
    this.#byUri = new Map(files.map((file) => [this.uriOf(file.file).toString(), file]));
    this.#problem = undefined;
  }

  #listing(purpose: Purpose): ListWhole {
    const { workflows, clock } = this.#deps;
    return async (connectionId, options) => {
      this.#askedAt = clock.now();
      const rows = await workflows.listWhole(connectionId, { ...options, purpose });
      // It may be edited for another service by now.
      if (connectionId === this.#folder.connectionId) this.#listed = rows;
      return rows;
    };
  }

  #compare(listWhole: ListWhole, options: CompareOptions): Promise<OpenComparison> {
    return this.#inTurn(async () => {
      const folder = this.#folder;
      try {
        const { environment, service } = requireService(this.#deps, folder);
        const read: FilesService['workflows']['read'] = (...asked) => this.#deps.workflows.read(...asked);
        const workflows = { listWhole, read };
        const open = await compareWith(folder, environment, { ...service, workflows }, options);
        if (isSameService(this.#folder, folder)) this.#take(open.comparison.files);
        return { ...open, service };
      } catch (error) {
        const isCancelled = error instanceof Error && isAbortError(error);
        if (!isCancelled && isSameService(this.#folder, folder)) this.#problem = error;
        throw error;
      } finally {
        this.#changes.fire();
      }
    });
  }
}

function isSameService(one: LinkedFolder, other: LinkedFolder): boolean {
  return one.environment === other.environment && one.connectionId === other.connectionId;
}
