// The beginnings of long logs, as files that this window deletes when it closes. The service has them all: nothing here must be kept.
import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { LogFile } from './logFile.ts';
import { ownFolderName } from './leftLogs.ts';

export interface LogFilesOptions {
  /** In bytes, over all windows. The oldest parts are deleted beyond it. */
  readonly maximumBytes?: number;
  readonly partBytes?: number;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * Files in a folder of this window, so that windows that follow the same execution don't meet. What an ended window left over is deleted
 * when another one starts (`deleteLeftLogs`). Names of files are hashes.
 */
export class LogFiles implements Disposable {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #maximumBytes: number;
  readonly #partBytes: number;
  readonly #own: string;
  readonly #ready = once(() => mkdir(join(this.#folder, this.#own), { recursive: true, mode: 0o700 }));
  readonly #open = new Set<LogFile>();
  /** How many bytes were written, to whichever log, since the limit was last looked at. */
  #unchecked = 0;
  #limiting: Promise<void> | undefined;

  /** `folder`: of all windows. Created when it's needed. */
  constructor(folder: string, logger: Logger, options: LogFilesOptions = {}) {
    this.#folder = folder;
    this.#logger = logger;
    this.#maximumBytes = options.maximumBytes ?? 1024 ** 3;
    this.#partBytes = options.partBytes ?? 16 * 1024 * 1024;
    this.#own = ownFolderName();
  }

  /** Begins the log of an execution. `name` identifies the execution. */
  create(name: string): LogFile {
    const file = `${hashOf(name)}-${randomUUID().slice(0, 8)}`;
    let parts = 0;
    const log = new LogFile({
      partBytes: this.#partBytes,
      nextPath: async () => {
        await this.#ready();
        parts += 1;
        return join(this.#folder, this.#own, `${file}-${parts}.ndjson`);
      },
      onWrite: (bytes) => this.#noteWritten(bytes),
      onFail: (error) =>
        this.#logger.error('The beginning of a long log could not be written to a file.', error),
      onDispose: () => this.#open.delete(log),
    });
    this.#open.add(log);
    return log;
  }

  /** Resolves when the files are within the limit, if they're being deleted. */
  async settled(): Promise<void> {
    await this.#limiting;
  }

  dispose(): void {
    for (const log of [...this.#open]) log.dispose();
    try {
      rmSync(join(this.#folder, this.#own), { recursive: true, force: true });
    } catch (error) {
      this.#logger.warn(`The files of long logs could not be deleted: ${String(error)}`);
    }
  }

  /** Parts that never get full count too. */
  #noteWritten(bytes: number): void {
    this.#unchecked += bytes;
    if (this.#unchecked < this.#partBytes || this.#limiting !== undefined) return;
    this.#unchecked = 0;
    this.#limiting = this.#limit();
  }

  async #limit(): Promise<void> {
    await this.#quietly(async () => {
      const parts = await this.#listParts();
      let bytes = parts.reduce((sum, { size }) => sum + size, 0);
      for (const { path, size } of parts) {
        if (bytes <= this.#maximumBytes) break;
        await rm(path, { force: true });
        for (const log of this.#open) log.endPart(path);
        bytes -= size;
      }
    });
    this.#limiting = undefined;
  }

  /** The parts of all windows, the one that was written to longest ago first. */
  async #listParts() {
    const parts: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
    for (const folder of await readdir(this.#folder))
      await this.#quietly(async () => {
        for (const file of await readdir(join(this.#folder, folder))) {
          const path = join(this.#folder, folder, file);
          const { size, mtimeMs } = await stat(path);
          parts.push({ path, size, mtimeMs });
        }
      });
    return parts.sort((one, other) => one.mtimeMs - other.mtimeMs);
  }

  /** What another window deletes meanwhile is no failure of this one. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.debug(`Files of long logs: ${String(error)}`);
    }
  }
}
