import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../editor/format.ts';

/** Milliseconds between two writes of a burst. */
const intervalMs = 100;
/** The same for a long burst, where each write costs the editor more. */
const longIntervalMs = 200;
const longBurst = 10_000;
/** In bytes. The editor stops showing what is added to a channel's file beyond 30 MB, without a word. */
export const maximumChannelBytes = 20 * 1024 * 1024;
/** How much of its end a full channel keeps, in UTF-16 units. */
const keptLength = 256 * 1024;
/** The longest text that is written at once, in UTF-16 units, unless a single line is longer. */
const maximumTogether = 1024 * 1024;
/** How many executions a mark leads to. */
const maximumSources = 5;

/** The part of an output channel that LogChannel needs. */
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

/** What lines belong to. */
export interface LogSource {
  readonly title: string;
  readonly target: ExecutionTarget;
}

/** The first line of a channel whose beginning was left out. */
export interface LeftOutMark {
  readonly text: string;
  /** Their titles are in the text. */
  readonly sources: readonly LogSource[];
}

function renderMark(lineCount: number, sources: readonly LogSource[]): LeftOutMark {
  const shown = sources
    .slice(-maximumSources)
    .map(({ title, target }) => ({ title: plainLine(title, 80), target }));
  const text = vscode.l10n.t(
    '… {0} earlier lines were left out here. Each is in the log of its execution: {1}',
    lineCount.toLocaleString(),
    shown.map(({ title }) => title).join(', ') + (sources.length > shown.length ? ', …' : ''),
  );
  return { text, sources: shown };
}

/**
 * The "Workflow Logs" channel. The first lines after a pause are written at once and later ones in batches, to reduce the number of writes.
 * A full channel is replaced by one that begins with a mark and the last lines, because the editor counts what was cleared too.
 */
export class LogChannel implements Disposable {
  readonly #outputs: LogOutputs;
  readonly #clock: Clock;
  #channel: LogOutput;
  #pending: string[] = [];
  /** The number of lines since the last pause. */
  #burst = 0;
  /** Runs from a write until an interval without lines. */
  #timer: Disposable | undefined;
  #bytes = 0;
  /** The lines that were written last. */
  #recent = '';
  #lineCount = 0;
  readonly #sources = new Map<string, LogSource>();
  #mark: LeftOutMark | undefined;

  constructor(outputs: LogOutputs, clock: Clock) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#channel = outputs.open();
  }

  /** undefined as long as everything is shown. */
  get mark(): LeftOutMark | undefined {
    return this.#mark;
  }

  append(lines: readonly string[], source?: LogSource): void {
    for (const line of lines) this.#pending.push(line);
    if (source !== undefined) this.#noteSource(source);
    if (this.#timer === undefined) this.#write();
  }

  /** Writes the pending lines. */
  flush(): void {
    if (this.#pending.length > 0) this.#write();
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.flush();
    this.#timer?.dispose();
    this.#channel.dispose();
  }

  /** The one that wrote last comes last. */
  #noteSource(source: LogSource): void {
    const { executionId } = source.target;
    this.#sources.delete(executionId);
    this.#sources.set(executionId, source);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > 2 * maximumSources && oldest !== undefined) this.#sources.delete(oldest);
  }

  #write(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const lines = this.#pending;
    if (lines.length === 0) {
      this.#burst = 0;
      return;
    }
    this.#pending = [];
    this.#burst += lines.length;
    this.#timer = this.#clock.schedule(
      () => this.#write(),
      this.#burst > longBurst ? longIntervalMs : intervalMs,
    );
    for (const text of joinLines(lines)) this.#put(text);
  }

  #put(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > maximumChannelBytes) this.#renew();
    this.#channel.append(text);
    this.#bytes += bytes;
    this.#lineCount += text.split('\n').length - 1;
    this.#recent += text;
    if (this.#recent.length > 2 * keptLength) this.#recent = endOf(this.#recent);
  }

  #renew(): void {
    const full = this.#channel;
    const isInSight = this.#outputs.isInSight();
    const recent = endOf(this.#recent);
    const earlierLines = this.#lineCount - recent.split('\n').length + 1;
    this.#mark = renderMark(earlierLines, [...this.#sources.values()]);
    const text = `${this.#mark.text}\n${recent}`;
    this.#channel = this.#outputs.open();
    this.#channel.append(text);
    this.#bytes = Buffer.byteLength(text);
    if (isInSight) this.#channel.show(true);
    full.dispose();
  }
}

/** The lines as texts that aren't too long. */
function joinLines(lines: readonly string[]): readonly string[] {
  const texts: string[] = [];
  let from = 0;
  let length = 0;
  for (const [at, line] of lines.entries()) {
    length += line.length + 1;
    if (length < maximumTogether && at < lines.length - 1) continue;
    texts.push(`${lines.slice(from, at + 1).join('\n')}\n`);
    [from, length] = [at + 1, 0];
  }
  return texts;
}

/** The whole lines at the end of the text, as many as a full channel keeps. */
function endOf(text: string): string {
  if (text.length <= keptLength) return text;
  return text.slice(text.indexOf('\n', text.length - keptLength - 1) + 1);
}
