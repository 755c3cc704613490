import { Emitter } from '../../src/base/event.ts';

/** Settings by their whole name, as a test changes them; all others have their default. */
export class Configuration {
  readonly #values = new Map<string, unknown>();
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.event;

  get(name: string): unknown {
    return this.#values.get(name);
  }

  /** undefined: the default. */
  set(name: string, value: unknown): void {
    this.#values.set(name, value);
    this.#changed.fire(undefined);
  }
}
