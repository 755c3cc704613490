import type { OutputChannel } from 'vscode';
import type { Clock } from '../../../base/time.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** Milliseconds between two writes of a burst: soon enough to look live. */
const intervalMs = 100;
/** The same in a burst of many lines, where the editor has more to do. */
const longIntervalMs = 200;
const longBurst = 10_000;

/** The channel "Workflow Logs": the first lines after a silence are written at once, later ones together, so that many lines cost few writes. */
export class LogChannel implements Disposable {
  readonly #channel: Pick<OutputChannel, 'append' | 'show' | 'dispose'>;
  readonly #clock: Clock;
  #pending: string[] = [];
  /** Lines since the last silence. */
  #burst = 0;
  /** Armed from a write until an interval without lines. */
  #timer: Disposable | undefined;

  /** channel: owned from now on. */
  constructor(channel: Pick<OutputChannel, 'append' | 'show' | 'dispose'>, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  append(lines: readonly string[]): void {
    for (const line of lines) this.#pending.push(line);
    if (this.#timer === undefined) this.#write();
  }

  /** Writes now what waits to be written. */
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
