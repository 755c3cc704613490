// Records as files in one folder. A file is written under another name and then renamed; one window at a time makes changes.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneAtATime } from '../base/async.ts';
import type { Logger } from '../base/logger.ts';
import { codeOf } from '../base/reason.ts';
import { type Clock, systemClock, wait } from '../base/time.ts';

const ending = '.json';
const lockName = 'lock';
/** Milliseconds between two tries. */
const lockPause = 10;
/**
 * A window that holds the lock for so many tries, 5 s, has crashed or is suspended. Tries are counted, not time: while the machine sleeps no
 * window goes on, and a file's times may be those of another machine.
 */
const triesUntilStale = 500;
/** Long enough for a lock to become stale. */
const maximumTries = 1000;
/** Windows refuses to replace a file while another process reads it. */
const renamePauses = [10, 50, 250];

/** The texts in a folder, by name. */
export class RecordFiles {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #inTurn = oneAtATime();
  /** What the lock says while this window holds it. */
  #held: string | undefined;

  constructor(folder: string, logger: Logger, clock: Clock) {
    this.#folder = folder;
    this.#logger = logger;
    this.#clock = clock;
  }

  read(): ReadonlyMap<string, string> {
    const records = new Map<string, string>();
    const files = this.#attempt('The folder of the records', () => readdirSync(this.#folder)) ?? [];
    for (const file of files) {
      if (!file.endsWith(ending)) continue;
      const text = this.#attempt(`The record ${file}`, () => readFileSync(join(this.#folder, file), 'utf8'));
      if (text !== undefined) records.set(file.slice(0, -ending.length), text);
    }
    return records;
  }

  async write(name: string, text: string): Promise<void> {
    const beside = join(this.#folder, `${randomUUID()}.new`);
    try {
      await writeFile(beside, text, { mode: 0o600, flush: true });
      await this.#refuseLostLock();
      await replaceFile(beside, this.#path(name));
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    await this.#refuseLostLock();
    await rm(this.#path(name), { force: true });
  }

  isGone(name: string): boolean {
    const files = this.#attempt('The folder of the records', () => readdirSync(this.#folder));
    return files?.every((file) => !file.startsWith(`${name}.`)) === true;
  }

  setAside(name: string): string | undefined {
    const kept = join(this.#folder, `${name}.${randomUUID().slice(0, 8)}.damaged`);
    return this.#attempt(`The damaged record ${name}`, () => {
      renameSync(this.#path(name), kept);
      return kept;
    });
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#held = await this.#lock();
      try {
        return await work();
      } finally {
        await this.#unlock();
      }
    });
  }

  get #lockPath(): string {
    return join(this.#folder, lockName);
  }

  /**
   * The lock is a file that only one window can create. It guards changes to several records; a single file is always complete without it.
   * Returns what is in it.
   */
  async #lock(): Promise<string> {
    const own = randomUUID();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    let holder: string | undefined;
    let since = 0;
    for (let tries = 0; ; tries += 1) {
      try {
        await writeFile(this.#lockPath, own, { flag: 'wx' });
        return own;
      } catch (error) {
        if (!hasCode(error, 'EEXIST', 'EPERM') || tries === maximumTries) throw error;
      }
      const found = await readIfThere(this.#lockPath);
      if (found !== holder) [holder, since] = [found, tries];
      else if (tries - since >= triesUntilStale) await takeAway(this.#lockPath);
      await wait(this.#clock, lockPause);
    }
  }

  async #unlock(): Promise<void> {
    const own = this.#held;
    this.#held = undefined;
    if ((await readIfThere(this.#lockPath)) === own) await rm(this.#lockPath, { force: true });
  }

  /** Another window has taken the lock if this one was suspended, and has changed what this one has read. */
  async #refuseLostLock(): Promise<void> {
    if (this.#held !== undefined && (await readIfThere(this.#lockPath)) !== this.#held)
      throw new Error('Another window has changed the records meanwhile.');
  }

  /** Returns undefined when the file is missing or can't be read; the latter is logged. */
  #attempt<T>(what: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!isMissing(error)) this.#logger.error(`${what} can't be read.`, error);
      return undefined;
    }
  }

  #path(name: string): string {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(name)) throw new RangeError('This is no name of a record.');
    return join(this.#folder, name + ending);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Windows reports EPERM for a file that is being deleted.
    if (!hasCode(error, 'ENOENT', 'EPERM')) throw error;
    return undefined;
  }
}

/** If several windows find a lock stale at once, only one can rename it. */
async function takeAway(path: string): Promise<void> {
  const stale = `${path}.${randomUUID()}`;
  try {
    await rename(path, stale);
    await unlink(stale);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Puts a file in the place of another at once, also where another program has that open for a moment. */
export async function replaceFile(from: string, to: string): Promise<void> {
  for (const pause of renamePauses) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
      await wait(systemClock, pause);
    }
  }
  await rename(from, to);
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '');
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
