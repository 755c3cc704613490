import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import { plainLine } from '../../../editor/format.ts';
import { type LogSource, LogSources } from './logSources.ts';
import { formats } from '../../../ui/words/formats.ts';

/** Milliseconds between two writes of a burst. */
const intervalMs = 100;
/** The same while lines come faster than the editor can show them. Each write lets other extensions read the whole channel again. */
const floodIntervalMs = 2000;
/** How much is written together, in UTF-16 units like all lengths here, unless a single line is longer. */
const maximumTogether = 48 * 1024;
/** How long a burst may be before lines are left out, and by how much less it counts with each millisecond. */
export const maximumBurst = 6 * 1024 * 1024;
const burstPerMs = 256;
/** In bytes. The editor stops showing what is added to a channel's file beyond 30 MB, without a word. */
export const maximumChannelBytes = 20 * 1024 * 1024;
/** How much is kept of the last lines where earlier ones are left out. */
const keptLength = 64 * 1024;
/** How many executions a mark leads to. */
const maximumLinks = 5;
/** How many marks of a channel lead to executions. */
const maximumMarks = 100;

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

/** A line of the channel that stands where lines were left out. */
export interface OmittedMark {
  /** Its index in the channel. */
  readonly line: number;
  readonly text: string;
  /** Their titles are in the text. */
  readonly sources: readonly LogSource[];
}

function renderMark(line: number, omitted: number, sources: readonly LogSource[]): OmittedMark {
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

/**
 * The "Workflow Logs" channel. The first lines after a pause are written at once and later ones in batches, to reduce the number of writes.
 * Of a long burst only the last lines are written now and then, so that the editor isn't busy with lines that nobody can read. A full channel
 * is replaced by one that begins with the last lines, because the editor counts what was cleared too. A mark stands where lines are left out.
 */
export class LogChannel implements Disposable {
  readonly #outputs: LogOutputs;
  readonly #clock: Clock;
  #channel: LogOutput;
  #pending: string[] = [];
  #pendingLength = 0;
  /** How many lines were left out since the last write. */
  #omitted = 0;
  /** How many lines had come by then, left out or not. */
  #earlierLines = 0;
  /** How long the burst was when it was written last, and when that was. */
  #burst = 0;
  #burstAt = 0;
  /** True from a write that makes the burst too long to the next one. */
  #isFlooded = false;
  /** Runs from a write until an interval without lines. */
  #timer: Disposable | undefined;
  /** What is in the channel. */
  #bytes = 0;
  #lineCount = 0;
  #marks: OmittedMark[] = [];
  /** The texts that were written last, and those before, together at least as long as what is kept of them. */
  #recent: string[] = [];
  #recentLength = 0;
  #earlier: readonly string[] = [];
  /** Where all lines came from, and those since the last write. */
  readonly #sources = new LogSources();
  readonly #pendingSources = new LogSources();

  constructor(outputs: LogOutputs, clock: Clock) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#channel = outputs.open();
  }

  /** Where lines were left out, the first one first; the last ones if there are many. */
  get marks(): readonly OmittedMark[] {
    return this.#marks;
  }

  append(lines: readonly string[], source?: LogSource): void {
    if (lines.length === 0) return;
    if (source !== undefined) {
      this.#sources.note(source);
      this.#pendingSources.note(source);
    }
    for (const line of lines) {
      this.#pending.push(line);
      this.#pendingLength += line.length + 1;
      if (this.#isFlooded && this.#pendingLength >= 2 * keptLength) this.#leaveOut();
      else if (!this.#isFlooded && this.#pendingLength >= maximumTogether) this.#writePending();
    }
    if (this.#timer === undefined) this.#write();
  }

  /** Puts a mark where lines of this source are left out. */
  markOmitted(lineCount: number, source: LogSource): void {
    if (lineCount === 0) return;
    this.flush();
    this.#sources.note(source);
    this.#putMark(lineCount, [source]);
    this.#earlierLines += lineCount;
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

  #write(): void {
    this.#timer?.dispose();
    if (this.#pending.length > 0) this.#writePending();
    this.#timer = this.#clock.schedule(
      () => {
        this.#timer = undefined;
        if (this.#pending.length > 0) this.#write();
      },
      this.#isFlooded ? floodIntervalMs : intervalMs,
    );
  }

  #writePending(): void {
    const text = [...this.#pending, ''].join('\n');
    this.#pending = [];
    this.#pendingLength = 0;
    this.#noteBurst(text.length);
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > maximumChannelBytes) this.#renew();
    if (this.#omitted > 0) this.#putMark(this.#omitted, this.#pendingSources.all);
    this.#pendingSources.clear();
    this.#put(text, bytes);
    this.#remember(text);
    this.#earlierLines += this.#omitted + countLines(text);
    this.#omitted = 0;
  }

  #noteBurst(length: number): void {
    const now = this.#clock.now();
    this.#burst = Math.max(0, this.#burst - Math.max(0, now - this.#burstAt) * burstPerMs) + length;
    this.#burstAt = now;
    this.#isFlooded = this.#burst > maximumBurst;
  }

  #put(text: string, bytes = Buffer.byteLength(text)): void {
    this.#channel.append(text);
    this.#bytes += bytes;
    this.#lineCount += countLines(text);
  }

  #putMark(omitted: number, sources: readonly LogSource[]): void {
    const mark = renderMark(this.#lineCount, omitted, sources);
    this.#marks = [...this.#marks.slice(1 - maximumMarks), mark];
    this.#put(`${mark.text}\n`);
  }

  /** Leaves out the oldest pending lines. */
  #leaveOut(): void {
    let count = 0;
    for (const line of this.#pending) {
      if (this.#pendingLength <= keptLength) break;
      this.#pendingLength -= line.length + 1;
      this.#omitted += countLines(line) + 1;
      count += 1;
    }
    this.#pending = this.#pending.slice(count);
  }

  /** The texts move on in lists that are made anew: what comes to a list that stays lives until the engine's next full collection. */
  #remember(text: string): void {
    if (this.#recentLength >= keptLength) {
      this.#earlier = this.#recent;
      this.#recent = [];
      this.#recentLength = 0;
    }
    this.#recent.push(text);
    this.#recentLength += text.length;
  }

  #renew(): void {
    const full = this.#channel;
    const isInSight = this.#outputs.isInSight();
    const recent = endOf([...this.#earlier, ...this.#recent].join(''));
    this.#channel = this.#outputs.open();
    [this.#bytes, this.#lineCount, this.#marks] = [0, 0, []];
    this.#putMark(this.#earlierLines - countLines(recent), this.#sources.all);
    this.#put(recent);
    if (isInSight) this.#channel.show(true);
    full.dispose();
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The whole lines at the end of the text, as many as a full channel keeps. */
function endOf(text: string): string {
  if (text.length <= keptLength) return text;
  return text.slice(text.indexOf('\n', text.length - keptLength - 1) + 1);
}
