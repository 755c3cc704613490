import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import { plainLine } from '../../../base/format.ts';
import { formats } from '../../../words/formats.ts';
import type { LineSource } from '../../../ui/writeFollow.ts';

/** How many executions a mark leads to. */
const maximumLinks = 5;
/** How many marks of a channel lead to executions. */
const maximumMarks = 100;
/** How long the editor may take to bring a channel into sight while it's busy with lines. */
const showingMs = 10_000;

/** The part of an output channel that is needed here. */
export interface LogOutput extends Disposable {
  append(text: string): void;
  show(preserveFocus: boolean): void;
}

export interface LogOutputs {
  /** Opens an empty channel. */
  readonly open: () => LogOutput;
  /** True while the user sees the channel. */
  readonly isInSight: () => boolean;
}

/** A line of the channel that stands where lines were left out. */
export interface OmittedMark {
  /** Its index in the channel. */
  readonly line: number;
  readonly text: string;
  /** Their titles are in the text. */
  readonly sources: readonly LineSource[];
}

function renderMark(line: number, omitted: number, sources: readonly LineSource[]): OmittedMark {
  const shown = sources
    .slice(-maximumLinks)
    .map(({ title, target }) => ({ title: plainLine(title, 80), target }));
  const text = vscode.l10n.t(
    '... {0} lines omitted. Find them in the logs of their executions: {1}',
    formats.number(omitted),
    shown.map(({ title }) => title).join(', ') + (sources.length > shown.length ? ', ...' : ''),
  );
  return { line, text, sources: shown };
}

/** An output channel from its opening until it's full, and what is in it. */
export class WrittenChannel implements Disposable {
  readonly #outputs: LogOutputs;
  readonly #clock: Clock;
  readonly #output: LogOutput;
  #shownAt = -Infinity;
  #bytes = 0;
  #lineCount = 0;
  #marks: readonly OmittedMark[] = [];

  constructor(outputs: LogOutputs, clock: Clock) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#output = outputs.open();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get marks(): readonly OmittedMark[] {
    return this.#marks;
  }

  /** True if the user sees it, or soon will. */
  get isShown(): boolean {
    return this.#outputs.isInSight() || this.#clock.now() - this.#shownAt < showingMs;
  }

  put(text: string, bytes = Buffer.byteLength(text)): void {
    this.#output.append(text);
    this.#bytes += bytes;
    this.#lineCount += countLines(text);
  }

  putMark(omitted: number, sources: readonly LineSource[]): void {
    const mark = renderMark(this.#lineCount, omitted, sources);
    this.#marks = [...this.#marks.slice(1 - maximumMarks), mark];
    this.put(`${mark.text}\n`);
  }

  show(): void {
    this.#shownAt = this.#clock.now();
    this.#output.show(true);
  }

  dispose(): void {
    this.#output.dispose();
  }
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
