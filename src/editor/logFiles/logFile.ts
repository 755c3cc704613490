import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { countBefore } from '../../base/sorted.ts';
import type { LogBlock, LogEntry } from '../../domain/logEntry.ts';
import { settings } from '../settings.ts';
import { readEntry, writeEntry } from './entryText.ts';

/** How many rows are written and found together, and up to which length of their messages together; the last one may exceed it. */
const blockRows = 256;
const blockLength = 256 * 1024;
/** How many successive blocks are read together, and how many bytes, unless one has more. */
const maximumTogether = 16;
const readBytes = 256 * 1024;

interface Place {
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Successive rows. Those that aren't written yet have their entries here, those that are have their place in a file. */
interface Block {
  readonly firstRow: number;
  readonly rowCount: number;
  /** undefined: they were written, or are gone. */
  entries: readonly LogEntry[] | undefined;
  place: Place | undefined;
}

export interface LogFileDeps {
  /** Returns the path of the next part of this log, in a folder that exists. */
  readonly nextPath: () => Promise<string>;
  /** Bytes after which a new part begins, so that the beginning of a log can be deleted alone. */
  readonly partBytes: number;
  /** Called with the number of bytes after each write. */
  readonly onWrite: (bytes: number) => void;
  /** Called once, with the reason why nothing can be written. */
  readonly onFail: (error: unknown) => void;
  readonly onDispose: () => void;
}

/**
 * The beginning of one execution's log, in files that only this window uses: rows as lines of JSON, in parts. Rows are written in the
 * background, one block after the other. Where each block lies is kept in memory, about 100 bytes for 256 rows.
 */
export class LogFile {
  readonly #deps: LogFileDeps;
  readonly #blocks: Block[] = [];
  readonly #paths: string[] = [];
  /** The index of the first block that isn't written. */
  #writtenBlocks = 0;
  #rowCount = 0;
  #goneRows = 0;
  #writing: Promise<void> | undefined;
  #part: { readonly path: string; readonly handle: FileHandle; bytes: number } | undefined;
  #isPartDeleted = false;
  #hasFailed = false;
  #isDisposed = false;

  constructor(deps: LogFileDeps) {
    this.#deps = deps;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get goneRows(): number {
    return this.#goneRows;
  }

  append(entries: readonly LogEntry[]): void {
    let [from, length] = [0, 0];
    for (const [at, { row }] of entries.entries()) {
      length += row.message.length;
      const count = at + 1 - from;
      if (count < blockRows && length < blockLength && at + 1 < entries.length) continue;
      this.#addBlock(entries.slice(from, at + 1));
      [from, length] = [at + 1, 0];
    }
    this.#writing ??= this.#write();
  }

  #addBlock(entries: readonly LogEntry[]): void {
    this.#blocks.push({ firstRow: this.#rowCount, rowCount: entries.length, entries, place: undefined });
    this.#rowCount += entries.length;
  }

  async written(): Promise<void> {
    await this.#writing;
  }

  async read(position: number): Promise<LogBlock | undefined> {
    const index = this.#find(position);
    const block = this.#blocks[index];
    if (block === undefined) return undefined;
    const { firstRow, rowCount, place } = block;
    if (place === undefined) return { firstRow, rowCount, entries: block.entries ?? [] };
    const { blocks, bytes } = this.#placedWith(index, place);
    const rows = blocks.reduce((sum, each) => sum + each.rowCount, 0);
    const entries = await this.#readEntries({ ...place, bytes }, firstRow);
    if (entries.length === rows) return { firstRow, rowCount: rows, entries };
    for (const each of blocks) this.#lose(each);
    return { firstRow, rowCount: rows, entries: [] };
  }

  /**
   * Ends the part that's written to if its file was deleted: what comes next would be lost with it, and its space stays taken until
   * it's closed.
   */
  endPart(path: string): void {
    if (this.#part?.path !== path) return;
    this.#isPartDeleted = true;
    this.#writing ??= this.#write();
  }

  /** Deletes the files. Waits for nothing, since the window may be closing. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#deps.onDispose();
    for (const block of this.#blocks) this.#lose(block);
    if (this.#writing === undefined) void this.#closePart();
    for (const path of this.#paths) rmSync(path, { force: true });
  }

  /** Returns the index of the block with the row at this position; the number of blocks if none has it. */
  #find(position: number): number {
    return countBefore(this.#blocks, ({ firstRow, rowCount }) => firstRow + rowCount <= position);
  }

  async #write(): Promise<void> {
    try {
      for (;;) {
        if (this.#isPartDeleted) await this.#closePart();
        const block = this.#blocks[this.#writtenBlocks];
        if (block === undefined || this.#isDisposed) break;
        if (this.#hasFailed) this.#lose(block);
        else await this.#writeBlock(block, block.entries ?? []);
        this.#writtenBlocks += 1;
      }
    } finally {
      this.#writing = undefined;
      if (this.#isDisposed) await this.#closePart();
    }
  }

  async #writeBlock(block: Block, entries: readonly LogEntry[]): Promise<void> {
    try {
      const keyPrefix = settings.keyPrefix();
      const bytes = Buffer.from(entries.map((entry) => writeEntry(entry, keyPrefix)).join(''));
      this.#part ??= await this.#openPart();
      const part = this.#part;
      await part.handle.appendFile(bytes);
      block.place = { path: part.path, offset: part.bytes, bytes: bytes.length };
      block.entries = undefined;
      part.bytes += bytes.length;
      if (part.bytes >= this.#deps.partBytes) await this.#closePart();
      this.#deps.onWrite(bytes.length);
    } catch (error) {
      this.#lose(block);
      if (!this.#hasFailed && !this.#isDisposed) this.#deps.onFail(error);
      this.#hasFailed = true;
    }
  }

  async #openPart() {
    const path = await this.#deps.nextPath();
    const handle = await open(path, 'wx', 0o600);
    this.#paths.push(path);
    if (this.#isDisposed) rmSync(path, { force: true });
    return { path, handle, bytes: 0 };
  }

  async #closePart(): Promise<void> {
    const part = this.#part;
    [this.#part, this.#isPartDeleted] = [undefined, false];
    try {
      await part?.handle.close();
    } catch (error) {
      if (!this.#isDisposed) this.#deps.onFail(error);
    }
  }

  /** The block with this index and place, and those after it that are read together with it. */
  #placedWith(
    index: number,
    { path, bytes: ownBytes }: Place,
  ): { readonly blocks: Block[]; readonly bytes: number } {
    const blocks = this.#blocks.slice(index, index + 1);
    let bytes = ownBytes;
    for (const block of this.#blocks.slice(index + 1, index + maximumTogether)) {
      if (block.place?.path !== path || bytes + block.place.bytes > readBytes) break;
      blocks.push(block);
      bytes += block.place.bytes;
    }
    return { blocks, bytes };
  }

  /** Returns fewer entries than there are if the part was deleted or changed meanwhile: other windows delete the oldest parts too. */
  async #readEntries({ path, offset, bytes }: Place, firstRow: number): Promise<readonly LogEntry[]> {
    try {
      const handle = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset);
        const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1);
        return lines.flatMap((line, index) => readEntry(line, firstRow + index) ?? []);
      } finally {
        await handle.close();
      }
    } catch {
      return [];
    }
  }

  /** Everything before a block that's gone counts as gone, because parts are deleted from the beginning. */
  #lose(block: Block): void {
    block.entries = undefined;
    block.place = undefined;
    this.#goneRows = Math.max(this.#goneRows, block.firstRow + block.rowCount);
  }
}
