import type { Disposable } from '../../../base/disposable.ts';
import type { Clock } from '../../../base/time.ts';
import type { LineSource } from '../../../ui/writeFollow.ts';
import { LogSources } from './logSources.ts';
import { countLines, type LogOutputs, type OmittedMark, WrittenChannel } from './writtenChannel.ts';

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

/** How much was written without a pause. */
class Burst {
  #length = 0;
  #at = 0;

  /** True from a write that makes the burst too long to the next one. */
  get isTooLong(): boolean {
    return this.#length > maximumBurst;
  }

  note(length: number, now: number): void {
    this.#length = Math.max(0, this.#length - Math.max(0, now - this.#at) * burstPerMs) + length;
    this.#at = now;
  }
}

/** The end of what was written, in the texts that were written last and those before, together at least as long as what is kept. */
class RecentText {
  #texts: string[] = [];
  #length = 0;
  #earlier: readonly string[] = [];

  /** The last whole lines, as many as are kept. */
  get end(): string {
    const text = [...this.#earlier, ...this.#texts].join('');
    return text.length <= keptLength
      ? text
      : text.slice(text.indexOf('\n', text.length - keptLength - 1) + 1);
  }

  /** The texts move on in lists that are made anew: what comes to a list that stays lives until the engine's next full collection. */
  add(text: string): void {
    if (this.#length >= keptLength) {
      this.#earlier = this.#texts;
      this.#texts = [];
      this.#length = 0;
    }
    this.#texts.push(text);
    this.#length += text.length;
  }
}

/**
 * The "Workflow Logs" channel. The first lines after a pause are written at once and later ones in batches, to reduce the number of writes.
 * Of a long burst only the last lines are written now and then, so that the editor isn't busy with lines that nobody can read. A full channel
 * is replaced by one that begins with the last lines, because the editor counts what was cleared too. A mark stands where lines are left out.
 */
export class LogChannel implements Disposable {
  readonly #outputs: LogOutputs;
  readonly #clock: Clock;
  readonly #burst = new Burst();
  readonly #recent = new RecentText();
  /** Where all lines came from, and those since the last write. */
  readonly #sources = new LogSources();
  readonly #pendingSources = new LogSources();
  #channel: WrittenChannel;
  #pending: string[] = [];
  #pendingLength = 0;
  /** How many lines were left out since the last write. */
  #omitted = 0;
  /** How many lines had come by then, left out or not. */
  #earlierLines = 0;
  /** Runs from a write until an interval without lines. */
  #timer: Disposable | undefined;

  constructor(outputs: LogOutputs, clock: Clock) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#channel = new WrittenChannel(outputs, clock);
  }

  /** Where lines were left out, the first one first; the last ones if there are many. */
  get marks(): readonly OmittedMark[] {
    return this.#channel.marks;
  }

  append(lines: readonly string[], source?: LineSource): void {
    if (lines.length === 0) return;
    if (source !== undefined) {
      this.#sources.note(source);
      this.#pendingSources.note(source);
    }
    for (const line of lines) {
      this.#pending.push(line);
      this.#pendingLength += line.length + 1;
      if (this.#burst.isTooLong && this.#pendingLength >= 2 * keptLength) this.#leaveOut();
      else if (!this.#burst.isTooLong && this.#pendingLength >= maximumTogether) this.#writePending();
    }
    if (this.#timer === undefined) this.#write();
  }

  /** Puts a mark where lines of this source are left out. */
  markOmitted(lineCount: number, source: LineSource): void {
    if (lineCount === 0) return;
    this.flush();
    this.#sources.note(source);
    this.#channel.putMark(lineCount, [source]);
    this.#earlierLines += lineCount;
  }

  /** Writes the pending lines. */
  flush(): void {
    if (this.#pending.length > 0) this.#write();
  }

  show(): void {
    this.#channel.show();
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
      this.#burst.isTooLong ? floodIntervalMs : intervalMs,
    );
  }

  #writePending(): void {
    const text = [...this.#pending, ''].join('\n');
    this.#pending = [];
    this.#pendingLength = 0;
    this.#burst.note(text.length, this.#clock.now());
    const bytes = Buffer.byteLength(text);
    if (this.#channel.bytes + bytes > maximumChannelBytes) this.#renew();
    if (this.#omitted > 0) this.#channel.putMark(this.#omitted, this.#pendingSources.all);
    this.#pendingSources.clear();
    this.#channel.put(text, bytes);
    this.#recent.add(text);
    this.#earlierLines += this.#omitted + countLines(text);
    this.#omitted = 0;
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

  #renew(): void {
    const full = this.#channel;
    const { isShown } = full;
    const recent = this.#recent.end;
    this.#channel = new WrittenChannel(this.#outputs, this.#clock);
    this.#channel.putMark(this.#earlierLines - countLines(recent), this.#sources.all);
    this.#channel.put(recent);
    if (isShown) this.#channel.show();
    full.dispose();
  }
}
