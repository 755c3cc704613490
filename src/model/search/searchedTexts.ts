import type { RunError } from '../../domain/execution.ts';
import type { FoundPlace } from '../../domain/search.ts';
import { executionName, type ExecutionTarget } from '../../domain/targets.ts';

/** Values of an execution, as JSON text: those of a part, or what a row of a node run has. */
export interface SearchedText extends Pick<FoundPlace, 'place' | 'nodeId' | 'iteration'> {
  readonly json: string;
}

/** What is searched of an execution that has ended, so that it stays as it is. */
export interface SearchedRecord {
  readonly texts: readonly SearchedText[];
  readonly error: RunError | null;
  readonly failedNodes: readonly string[];
}

interface Entry {
  readonly connectionId: string;
  readonly record: SearchedRecord;
  /** When the execution began, in epoch milliseconds. */
  readonly began: number;
  readonly bytes: number;
}

const maximumBytes = 64 * 1024 * 1024;
/** One record may take this part of the store. */
const largestShare = 8;
/** What an entry and each of its texts take besides their characters. */
const bytesAround = 300;

/** As much memory as a text takes at most. */
export function sizeOfText({ json }: SearchedText): number {
  return 2 * json.length + bytesAround;
}

/**
 * What was read for searches, so that the next one needn't read it again; bounded in bytes. Searches read the newest executions first, so
 * those stay.
 */
export class SearchedTexts {
  readonly #maximum: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(maximum = maximumBytes) {
    this.#maximum = maximum;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A larger record isn't kept. In bytes. */
  get largestRecord(): number {
    return this.#maximum / largestShare;
  }

  get(target: ExecutionTarget): SearchedRecord | undefined {
    return this.#entries.get(executionName(target))?.record;
  }

  /** Keeps a record in place of older ones, unless it's the oldest itself. */
  set(target: ExecutionTarget, began: Date | null, record: SearchedRecord): void {
    const bytes = record.texts.reduce((sum, text) => sum + sizeOfText(text), bytesAround);
    if (bytes > this.largestRecord) return;
    const name = executionName(target);
    this.#delete(name);
    const entry = { connectionId: target.connectionId, record, began: began?.getTime() ?? 0, bytes };
    this.#entries.set(name, entry);
    this.#bytes += bytes;
    while (this.#bytes > this.#maximum) this.#delete(this.#oldest());
  }

  /** Keeps only what belongs to these connections. */
  retain(isKept: (connectionId: string) => boolean): void {
    for (const [name, { connectionId }] of this.#entries) if (!isKept(connectionId)) this.#delete(name);
  }

  #oldest(): string {
    let oldest = '';
    let began = Infinity;
    for (const [name, entry] of this.#entries) {
      if (entry.began >= began) continue;
      oldest = name;
      ({ began } = entry);
    }
    return oldest;
  }

  #delete(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}
