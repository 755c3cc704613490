// The file extension of an output's document depends on the output's type, so the output is read before its document is opened.
import type { Output } from '../../../domain/execution.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';

const endings: readonly (readonly [mediaType: RegExp, ending: string])[] = [
  [/^text\/html$|^application\/xhtml\+xml$/, '.html'],
  [/^image\/svg\+xml$/, '.svg'],
  [/^(text|application)\/xml$|\+xml$/, '.xml'],
  [/^(text|application)\/csv$/, '.csv'],
  [/^text\/tab-separated-values$/, '.tsv'],
  [/^text\/(x-)?markdown$/, '.md'],
  [/^(text|application)\/(x-)?yaml$|\+yaml$/, '.yaml'],
  [/^application\/(x-)?(ndjson|jsonl|json-lines)$/, '.jsonl'],
  [/^(text|application)\/(x-)?javascript$/, '.js'],
  [/^text\/css$/, '.css'],
];

/** The file extension for an output; ".json" unless the output is text. */
export function outputEnding(output: Output): string {
  if (output.kind !== 'text') return '.json';
  const mediaType = output.mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return endings.find(([known]) => known.test(mediaType))?.[1] ?? '.txt';
}

/** An output that was read for a document. */
export interface OutputReading {
  readonly target: ExecutionTarget;
  readonly output: Output;
}

/** Outputs on their way to the documents that they were read for. */
export class Outputs {
  readonly #lent = new Map<string, Output>();

  /** Opens documents of these outputs, which take them instead of reading them again. */
  async lend<T>(readings: readonly OutputReading[], open: () => PromiseLike<T>): Promise<T> {
    for (const { target, output } of readings) this.#lent.set(executionName(target), output);
    try {
      return await open();
    } finally {
      // Those of documents that were open already weren't taken.
      for (const { target } of readings) this.#lent.delete(executionName(target));
    }
  }

  /** Returns the output that was read for the document, once. */
  take(target: ExecutionTarget): Output | undefined {
    const name = executionName(target);
    const output = this.#lent.get(name);
    this.#lent.delete(name);
    return output;
  }
}
