// What left memory, in memory: the archive of logs as a small real implementation.
import type { LogBlock, LogEntry } from '../../../src/domain/logEntry.ts';
import type { ArchivedLog, LogArchive, LogPlace } from '../../../src/model/executions/logArchive.ts';

const blockRows = 100;

export class MemoryArchive implements LogArchive {
  readonly logs = new Map<string, MemoryLog>();

  create(name: string): MemoryLog {
    const log = new MemoryLog(() => {
      if (this.logs.get(name) === log) this.logs.delete(name);
    });
    this.logs.set(name, log);
    return log;
  }
}

export class MemoryLog implements ArchivedLog {
  readonly entries: LogEntry[] = [];
  readonly #onDispose: () => void;
  lineCount = 0;
  goneLines = 0;

  constructor(onDispose: () => void = () => undefined) {
    this.#onDispose = onDispose;
  }

  get rowCount(): number {
    return this.entries.length;
  }

  append(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.entries.push(entry);
      this.lineCount += entry.lines;
    }
  }

  written(): Promise<void> {
    return Promise.resolve();
  }

  read(place: LogPlace): Promise<LogBlock | undefined> {
    let firstLine = 0;
    for (let firstRow = 0; firstRow < this.entries.length; firstRow += blockRows) {
      const entries = this.entries.slice(firstRow, firstRow + blockRows);
      const lineCount = entries.reduce((sum, { lines }) => sum + lines, 0);
      const isHere =
        'row' in place ? place.row < firstRow + entries.length : place.line < firstLine + lineCount;
      const rowCount = entries.length;
      if (isHere) {
        const isGone = firstLine + lineCount <= this.goneLines;
        return Promise.resolve({ firstRow, rowCount, firstLine, lineCount, entries: isGone ? [] : entries });
      }
      firstLine += lineCount;
    }
    return Promise.resolve(undefined);
  }

  dispose(): void {
    this.#onDispose();
  }
}
