// What left memory, in memory: the archive of logs as a small real implementation.
import type { LogBlock, LogEntry } from '../../../src/domain/logEntry.ts';
import type { ArchivedLog, LogArchive } from '../../../src/model/log/logArchive.ts';

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
  goneRows = 0;

  constructor(onDispose: () => void = () => undefined) {
    this.#onDispose = onDispose;
  }

  get rowCount(): number {
    return this.entries.length;
  }

  append(entries: readonly LogEntry[]): void {
    this.entries.push(...entries);
  }

  written(): Promise<void> {
    return Promise.resolve();
  }

  read(position: number): Promise<LogBlock | undefined> {
    const firstRow = position - (position % blockRows);
    const entries = this.entries.slice(firstRow, firstRow + blockRows);
    const rowCount = entries.length;
    const isGone = firstRow + rowCount <= this.goneRows;
    const block = { firstRow, rowCount, entries: isGone ? [] : entries };
    return Promise.resolve(position < this.rowCount ? block : undefined);
  }

  dispose(): void {
    this.#onDispose();
  }
}
