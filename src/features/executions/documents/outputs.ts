// Reads outputs ahead, because the file extension of an output's document depends on the output's type.
import type { Executions } from '../../../model/executions/executions.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { Output } from '../../../domain/execution.ts';

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
export function outputEnding(reading: Output): string {
  if (reading.kind !== 'text') return '.json';
  const mediaType = reading.mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return endings.find(([known]) => known.test(mediaType))?.[1] ?? '.txt';
}

export interface Outputs {
  /** Reads and keeps an output for the document that's about to be opened. */
  readAhead(target: ExecutionTarget, signal?: AbortSignal): Promise<Output>;
  /** Keeps an output for a document that replaces the one it was read for. */
  keep(target: ExecutionTarget, reading: Output): void;
  /** Returns the output that was read ahead, once; else reads it. */
  take(target: ExecutionTarget, signal: AbortSignal): Promise<Output>;
  /** Drops an output that wasn't taken, for example because its document was already open. */
  forget(target: ExecutionTarget): void;
}

function nameOf({ connectionId, executionId }: ExecutionTarget): string {
  return JSON.stringify([connectionId, executionId]);
}

export function createOutputs(executions: Pick<Executions, 'output'>): Outputs {
  const ahead = new Map<string, Output>();
  return {
    readAhead: async (target, signal) => {
      const reading = await executions.output(target, signal);
      ahead.set(nameOf(target), reading);
      return reading;
    },
    keep: (target, reading) => {
      ahead.set(nameOf(target), reading);
    },
    take: async (target, signal) => {
      const reading = ahead.get(nameOf(target));
      ahead.delete(nameOf(target));
      return reading ?? executions.output(target, signal);
    },
    forget: (target) => {
      ahead.delete(nameOf(target));
    },
  };
}
