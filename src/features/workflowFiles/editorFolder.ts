// A linked folder on whichever file system the window has it.
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { lockFile, sqliteCode } from '../../base/sqlite.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { replaceFile } from '../../editor/recordFiles.ts';
import { findFiles, pathWithin, statFile } from '../../editor/documents/workspaceFiles.ts';
import { isWorkflowPath, workflowFileEnding } from '../../workflowFiles/fileNames.ts';
import { FilesError } from '../../workflowFiles/filesError.ts';
import { agreedFolder, agreedLock } from '../../workflowFiles/agreed.ts';
import type { FilesFolder } from '../../workflowFiles/ports.ts';

const isLink = (type: vscode.FileType): boolean => (type & vscode.FileType.SymbolicLink) !== 0;

export class EditorFolder implements FilesFolder {
  readonly #uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.#uri = uri;
  }

  async list(): Promise<readonly string[]> {
    if ((await statFile(this.#uri)) === undefined) return [];
    const entries = await vscode.workspace.fs.readDirectory(this.#uri);
    return entries.flatMap(([name, type]) => ((type & vscode.FileType.File) === 0 ? [] : [name]));
  }

  async listBelow(): Promise<readonly string[]> {
    const found = await findFiles({ uri: this.#uri }, workflowFileEnding);
    const paths = found.map((uri) => pathWithin(this.#uri, uri) ?? '');
    return paths.filter((path) => path.includes('/') && isWorkflowPath(path));
  }

  async read(path: string, maximumBytes: number): Promise<string | undefined> {
    const uri = this.#at(path);
    const found = await this.#statInside(path);
    if (found === undefined) return undefined;
    if (found.size > maximumBytes)
      throw new FilesError(
        vscode.l10n.t('"{0}" is larger than {1} MiB.', shown(path), toMebibytes(maximumBytes)),
      );
    const text = decodeUtf8(await vscode.workspace.fs.readFile(uri), { keepsMark: true });
    if (text === undefined) throw new FilesError(vscode.l10n.t('"{0}" isn\'t UTF-8 text.', shown(path)));
    return text;
  }

  /** The text stands where nobody looks until it's whole. */
  async write(path: string, text: string): Promise<void> {
    const uri = this.#at(path);
    await this.#statInside(path);
    const beside = vscode.Uri.joinPath(this.#uri, agreedFolder, `${crypto.randomUUID()}.tmp`);
    await this.#statInside(agreedFolder);
    await this.#inWords(path, async () => {
      await vscode.workspace.fs.writeFile(beside, new TextEncoder().encode(text));
      // The editor's own renaming deletes the other file first: ended in between, it would leave none.
      if (uri.scheme !== 'file') return vscode.workspace.fs.rename(beside, uri, { overwrite: true });
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
      await replaceFile(beside.fsPath, uri.fsPath);
    });
  }

  async remove(path: string): Promise<void> {
    if ((await this.#statInside(path)) === undefined) return;
    await this.#inWords(path, async () => vscode.workspace.fs.delete(this.#at(path)));
  }

  async lock(): Promise<Disposable | undefined> {
    if (this.#uri.scheme !== 'file') return toDisposable(() => undefined);
    const path = `${agreedFolder}/${agreedLock}`;
    await this.#statInside(path);
    return this.#inWords(path, async () => {
      await vscode.workspace.fs.createDirectory(this.#at(agreedFolder));
      return lockFile(this.#at(path).fsPath);
    });
  }

  #at(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#uri, ...path.split('/'));
  }

  /** undefined: there's no such file. A link could lead out of the folder. */
  async #statInside(path: string): Promise<vscode.FileStat | undefined> {
    const names = path.split('/');
    let found: vscode.FileStat | undefined;
    for (const count of names.keys()) {
      found = await statFile(vscode.Uri.joinPath(this.#uri, ...names.slice(0, count + 1)));
      if (found === undefined) return undefined;
      if (isLink(found.type))
        throw new FilesError(
          vscode.l10n.t('"{0}" is a link, which could lead out of the folder.', shown(path)),
        );
    }
    return found;
  }

  async #inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isOfDisk =
        error instanceof vscode.FileSystemError || 'syscall' in error || sqliteCode(error) >= 0;
      if (!isOfDisk) throw error;
      throw new FilesError(
        `${vscode.l10n.t('"{0}" can\'t be written.', shown(path))} ${plainLine(error.message, 200)}`,
        { cause: error },
      );
    }
  }
}

const shown = (path: string): string => plainLine(path, 200);
const toMebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
