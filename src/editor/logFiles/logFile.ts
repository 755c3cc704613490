import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { LogBlock, LogEntry } from '../../domain/logEntry.ts';
import { readEntry, writeEntry } from './entryText.ts';

/** Rows that are written and found together. */
const blockRows = 256;
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
  readonly firstLine: number;
  readonly lineCount: number;
  /** undefined: they were written, or are gone. */
  entries: readonly LogEntry[] | undefined;
  place: Place | undefined;
}

export interface LogFileDeps {
  /** Returns the path of the next part of this log, in a folder that exists. */
  readonly nextPath: () => Promise<string>;
  /** Bytes after which a new part begins, so that the beginning of a log can be deleted alone. */
  readonly partBytes: number;
  /** Called when a part is full. */
  readonly onPartFull: () => void;
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
  #lineCount = 0;
  #goneLines = 0;
  #writing: Promise<void> | undefined;
  #part: { readonly path: string; readonly handle: FileHandle; bytes: number } | undefined;
  #hasFailed = false;
  #isDisposed = false;

  constructor(deps: LogFileDeps) {
    this.#deps = deps;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  get goneLines(): number {
    return this.#goneLines;
  }

  append(entries: readonly LogEntry[]): void {
    for (let from = 0; from < entries.length; from += blockRows) {
      const own = entries.slice(from, from + blockRows);
      const lineCount = own.reduce((sum, { lines }) => sum + lines, 0);
      const [firstRow, firstLine] = [this.#rowCount, this.#lineCount];
      const rowCount = own.length;
      this.#blocks.push({ firstRow, rowCount, firstLine, lineCount, entries: own, place: undefined });
      this.#rowCount += rowCount;
      this.#lineCount += lineCount;
    }
    this.#writing ??= this.#write();
  }

  async written(): Promise<void> {
    await this.#writing;
  }

  async read(at: { readonly row: number } | { readonly line: number }): Promise<LogBlock | undefined> {
    const index = this.#find(at);
    const block = this.#blocks[index];
    if (block === undefined) return undefined;
    const { firstRow, firstLine, place } = block;
    const { blocks, bytes } =
      place === undefined ? { blocks: [block], bytes: 0 } : this.#placedWith(index, place);
    const rowCount = blocks.reduce((sum, each) => sum + each.rowCount, 0);
    const lineCount = blocks.reduce((sum, each) => sum + each.lineCount, 0);
    const entries =
      place === undefined ? (block.entries ?? []) : await this.#readEntries({ ...place, bytes }, rowCount);
    if (entries === undefined) for (const each of blocks) this.#lose(each);
    return { firstRow, rowCount, firstLine, lineCount, entries: entries ?? [] };
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

  /** Returns the index of the block with this row or line; the number of blocks if none has it. */
  #find(at: { readonly row: number } | { readonly line: number }): number {
    const isBefore = ({ firstRow, rowCount, firstLine, lineCount }: Block): boolean =>
      'row' in at ? firstRow + rowCount <= at.row : firstLine + lineCount <= at.line;
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#blocks[middle];
      if (block !== undefined && isBefore(block)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #write(): Promise<void> {
    try {
      for (;;) {
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
      const bytes = Buffer.from(entries.map(writeEntry).join(''));
      this.#part ??= await this.#openPart();
      const part = this.#part;
      await part.handle.appendFile(bytes);
      block.place = { path: part.path, offset: part.bytes, bytes: bytes.length };
      block.entries = undefined;
      part.bytes += bytes.length;
      if (part.bytes < this.#deps.partBytes) return;
      await this.#closePart();
      this.#deps.onPartFull();
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
    this.#part = undefined;
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

  /** Returns undefined if the part was deleted or changed meanwhile. */
  async #readEntries(
    { path, offset, bytes }: Place,
    count: number,
  ): Promise<readonly LogEntry[] | undefined> {
    try {
      const handle = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset);
        const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1);
        const entries = lines.map(readEntry).filter((entry) => entry !== undefined);
        return entries.length === count ? entries : undefined;
      } finally {
        await handle.close();
      }
    } catch {
      // Another window deletes the oldest parts too.
      return undefined;
    }
  }

  /** Everything before a block that's gone counts as gone, because parts are deleted from the beginning. */
  #lose(block: Block): void {
    block.entries = undefined;
    block.place = undefined;
    this.#goneLines = Math.max(this.#goneLines, block.firstLine + block.lineCount);
  }
}
