// A folder of this machine as the engine of workflows as files needs it.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { plainLine } from '../base/format.ts';
import { codeOf, messageOf } from '../base/reason.ts';
import { lockFile } from '../base/sqlite.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { agreedFolder as ownFolder, agreedLock } from '../workflowFiles/agreed.ts';
import { isWorkflowPath } from '../workflowFiles/fileNames.ts';
import { FilesError } from '../workflowFiles/filesError.ts';
import type { FilesFolder } from '../workflowFiles/ports.ts';

/** That are looked into for a file that has moved. */
const maximumFolders = 1000;
const unfinishedEnding = '.tmp';
/** After this time, whoever wrote it has been killed. */
const unfinishedForMs = 60 * 60 * 1000;

function failure(words: string, error: unknown): FilesError {
  return new FilesError(`${words} ${plainLine(messageOf(error), 200)}`);
}

export class NodeFolder implements FilesFolder {
  readonly #root: string;

  constructor(path: string) {
    this.#root = resolve(path);
  }

  async list(): Promise<readonly string[]> {
    const entries = await readdir(this.#root, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
  }

  async listBelow(): Promise<readonly string[]> {
    const found: string[] = [];
    const folders = [''];
    for (const folder of folders.values()) {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = `${folder}${entry.name}`;
        if (entry.isFile() && folder !== '' && isWorkflowPath(path)) found.push(path);
        const isIn = entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
        if (isIn && folders.length < maximumFolders) folders.push(`${path}/`);
      }
    }
    return found;
  }

  async read(path: string, maximumBytes: number): Promise<string | undefined> {
    const real = await this.#realPath(path);
    if (real === undefined) return undefined;
    try {
      const { size } = await stat(real);
      if (size > maximumBytes)
        throw new FilesError(
          l10n.t('"{0}" is larger than {1} MiB.', path, Math.floor(maximumBytes / 1024 / 1024)),
        );
      const text = decodeUtf8(await readFile(real), { keepsMark: true });
      if (text === undefined) throw new FilesError(l10n.t('"{0}" isn\'t UTF-8 text.', path));
      return text;
    } catch (error) {
      if (error instanceof FilesError) throw error;
      if (codeOf(error) === 'ENOENT') return undefined;
      throw failure(l10n.t('"{0}" can\'t be read.', path), error);
    }
  }

  async write(path: string, text: string): Promise<void> {
    try {
      const folder = dirname(join(this.#root, path));
      // Before it's made: a folder on the way may be a link out of this one.
      await this.#requireInside(await nearestReal(folder), path);
      await mkdir(folder, { recursive: true });
      const target = (await this.#realPath(path)) ?? join(await realpath(folder), basename(path));
      await this.#requireInside(await nearestReal(join(this.#root, ownFolder)), path);
      await writeWhole(target, text, join(this.#root, ownFolder));
    } catch (error) {
      if (error instanceof FilesError) throw error;
      throw failure(l10n.t('"{0}" can\'t be written.', path), error);
    }
  }

  async remove(path: string): Promise<void> {
    if ((await this.#realPath(path)) === undefined) return;
    try {
      await rm(join(this.#root, path), { force: true });
    } catch (error) {
      throw failure(l10n.t('"{0}" can\'t be deleted.', path), error);
    }
  }

  async lock(): Promise<Disposable | undefined> {
    const path = `${ownFolder}/${agreedLock}`;
    const folder = join(this.#root, ownFolder);
    try {
      await this.#requireInside(await nearestReal(join(this.#root, path)), path);
      await mkdir(folder, { recursive: true });
      await removeUnfinished(folder);
      return lockFile(join(this.#root, path));
    } catch (error) {
      if (error instanceof FilesError) throw error;
      throw failure(l10n.t('"{0}" can\'t be written.', path), error);
    }
  }

  /** Of a file that's there. Rejects with a FilesError for one that is outside. */
  async #realPath(path: string): Promise<string | undefined> {
    try {
      const real = await realpath(join(this.#root, path));
      await this.#requireInside(real, path);
      return real;
    } catch (error) {
      if (error instanceof FilesError) throw error;
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw failure(l10n.t('"{0}" can\'t be read.', path), error);
    }
  }

  async #requireInside(real: string, path: string): Promise<void> {
    if (!isInside(await realpath(this.#root), real))
      throw new FilesError(l10n.t('"{0}" is outside of the folder. Nothing was read or written.', path));
  }
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Of a folder, or of the nearest one above it that's there. */
async function nearestReal(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    return join(await nearestReal(dirname(folder)), basename(folder));
  }
}

/** A process that ends in the middle leaves the file as it was, and an unfinished one where nobody looks. */
async function writeWhole(path: string, text: string, unfinishedFolder: string): Promise<void> {
  await mkdir(unfinishedFolder, { recursive: true });
  const name = `${randomUUID()}${unfinishedEnding}`;
  try {
    await writeBy(join(unfinishedFolder, name), path, text);
  } catch (error) {
    // A folder below may be on another disk, where nothing is renamed to.
    if (codeOf(error) !== 'EXDEV') throw error;
    await writeBy(join(dirname(path), `.${name}`), path, text);
  }
}

async function writeBy(beside: string, path: string, text: string): Promise<void> {
  try {
    const file = await open(beside, 'wx', await modeOf(path));
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Whoever writes now has only just begun. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(unfinishedEnding)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > unfinishedForMs) await rm(path, { force: true });
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return 0o666;
  }
}
