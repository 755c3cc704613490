// When the files of our own file systems changed: their content is made when it's read, so nothing else says so.
import * as vscode from 'vscode';
import type { Clock } from '../../base/time.ts';

/** What a reader got. */
export interface FileStamp<T> {
  readonly uri: vscode.Uri;
  readonly content: T;
  /** Epoch milliseconds. */
  readonly mtime: number;
}

/** The time of a change, in epoch milliseconds, later than that of the one before: the editor asks nothing else. */
export function nextMtime(earlier: number | undefined, now: number): number {
  return Math.max(now, (earlier ?? 0) + 1);
}

export function fileStat({ mtime }: { readonly mtime: number }, size: number): vscode.FileStat {
  return { type: vscode.FileType.File, ctime: 0, mtime, size };
}

/** The files that were read. mtime changes only with the content, because the editor would report false conflicts otherwise. */
export class FileStamps<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isSame: (one: T, other: T) => boolean;
  readonly #stamps = new Map<string, FileStamp<T>>();

  constructor(clock: Pick<Clock, 'now'>, isSame: (one: T, other: T) => boolean = Object.is) {
    this.#clock = clock;
    this.#isSame = isSame;
  }

  /** Of a file that holds this now. */
  take(uri: vscode.Uri, content: T): FileStamp<T> {
    const known = this.#stamps.get(uri.toString());
    if (known !== undefined && this.#isSame(known.content, content)) return known;
    const stamp = { uri, content, mtime: nextMtime(known?.mtime, this.#clock.now()) };
    this.#stamps.set(uri.toString(), stamp);
    return stamp;
  }

  /** The changes to announce for the files that hold something else than what was read; undefined: one is gone. */
  listChanges(
    find: (uri: vscode.Uri) => T | undefined,
    isConcerned: (uri: vscode.Uri) => boolean = () => true,
  ): vscode.FileChangeEvent[] {
    const { Changed, Deleted } = vscode.FileChangeType;
    return [...this.#stamps.values()].flatMap(({ uri, content }): vscode.FileChangeEvent[] => {
      if (!isConcerned(uri)) return [];
      const now = find(uri);
      if (now === undefined) return content === undefined ? [] : [{ type: Deleted, uri }];
      return this.#isSame(content, now) ? [] : [{ type: Changed, uri }];
    });
  }

  delete(uri: vscode.Uri): void {
    this.#stamps.delete(uri.toString());
  }

  clear(): void {
    this.#stamps.clear();
  }
}
