import type { Clock } from '../../../base/time.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** Milliseconds between two writes of a burst. */
const intervalMs = 100;
/** The same for a long burst, where each write costs the editor more. */
const longIntervalMs = 200;
const longBurst = 10_000;

/** The part of an output channel that LogChannel needs. */
export interface LogOutput extends Disposable {
  append(text: string): void;
  show(preserveFocus: boolean): void;
}

/** The "Workflow Logs" channel. The first lines after a pause are written at once and later ones in batches, to reduce the number of writes. */
export class LogChannel implements Disposable {
  readonly #channel: LogOutput;
  readonly #clock: Clock;
  #pending: string[] = [];
  /** The number of lines since the last pause. */
  #burst = 0;
  /** Runs from a write until an interval without lines. */
  #timer: Disposable | undefined;

  /** channel: disposed of together with this object. */
  constructor(channel: LogOutput, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  append(lines: readonly string[]): void {
    for (const line of lines) this.#pending.push(line);
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
    this.#channel.append(`${lines.join('\n')}\n`);
  }
}
