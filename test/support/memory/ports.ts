// The model's ports as small real implementations: state and secrets in memory, a clock moved by hand.
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import type { Connection } from '../../../src/domain/connection.ts';
import type { RecordPort, SecretPort, StatePort } from '../../../src/model/ports.ts';
import type { Clock } from '../../../src/base/time.ts';

/** State in memory; what is set goes through JSON text, as it does in an editor. */
export class MemoryState implements StatePort {
  readonly #entries = new Map<string, string>();

  get(key: string): unknown {
    const text = this.#entries.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  set(key: string, value: JsonValue | undefined): Promise<void> {
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, JSON.stringify(value));
    return Promise.resolve();
  }

  /** Everything that is stored, for looking for what must not be there. */
  get text(): string {
    return [...this.#entries.values()].join('\n');
  }
}

/** Records in memory. */
export class MemoryRecords implements RecordPort {
  readonly texts = new Map<string, string>();
  readonly kept = new Map<string, string>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  read(): ReadonlyMap<string, string> {
    return new Map(this.texts);
  }

  write(name: string, text: string): Promise<void> {
    this.texts.set(name, text);
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.texts.delete(name);
    return Promise.resolve();
  }

  /** As another window stores connections. */
  storeConnections(...connections: readonly Connection[]): void {
    for (const [position, connection] of connections.entries())
      this.texts.set(connection.id, JSON.stringify({ position, connection }));
  }

  isGone(name: string): boolean {
    return !this.texts.has(name) && !this.kept.has(name);
  }

  setAside(name: string): string | undefined {
    const text = this.texts.get(name);
    if (text === undefined) return undefined;
    this.texts.delete(name);
    this.kept.set(name, text);
    return name;
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

/** Secrets in memory, announced as an editor announces them: also to the window that set them. */
export class MemorySecrets implements SecretPort {
  readonly entries = new Map<string, string>();
  readonly #changes = new Emitter<string>();
  readonly onDidChange = this.#changes.event;

  get(connectionId: string): Promise<string | undefined> {
    return Promise.resolve(this.entries.get(connectionId));
  }

  set(connectionId: string, secret: string): Promise<void> {
    this.entries.set(connectionId, secret);
    this.#changes.fire(connectionId);
    return Promise.resolve();
  }

  delete(connectionId: string): Promise<void> {
    this.entries.delete(connectionId);
    this.#changes.fire(connectionId);
    return Promise.resolve();
  }
}

/** Secrets whose storage fails, or answers only when told to. */
export class TroubledSecrets implements SecretPort {
  readonly inner = new MemorySecrets();
  readonly onDidChange = this.inner.onDidChange;
  trouble: 'none' | 'fails' | 'silent' = 'none';
  #answer = Promise.withResolvers<undefined>();

  get(connectionId: string): Promise<string | undefined> {
    return this.#meet(() => this.inner.get(connectionId));
  }

  set(connectionId: string, secret: string): Promise<void> {
    return this.#meet(() => this.inner.set(connectionId, secret));
  }

  delete(connectionId: string): Promise<void> {
    return this.#meet(() => this.inner.delete(connectionId));
  }

  /** Carries out and answers what it was silent about. */
  async answerLate(): Promise<void> {
    this.trouble = 'none';
    this.#answer.resolve(undefined);
    this.#answer = Promise.withResolvers<undefined>();
    await settle();
  }

  async #meet<T>(work: () => Promise<T>): Promise<T> {
    if (this.trouble === 'fails') throw new Error('Cannot get the password from the keyring.');
    if (this.trouble === 'silent') await this.#answer.promise;
    return work();
  }
}

/** Lets everything run that is ready to run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Time that passes only when told to. */
export class HandClock implements Clock {
  readonly #timers = new Set<{ readonly dueAt: number; readonly callback: () => void }>();
  #now: number;

  constructor(now = Date.UTC(2026, 0, 5, 10)) {
    this.#now = now;
  }

  /** How many timers are armed. */
  get armed(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, delayMs: number): Disposable {
    const timer = { dueAt: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Drops the timers that were armed first, as the end of a process does with its own. */
  forget(count: number): void {
    for (const timer of [...this.#timers].slice(0, count)) this.#timers.delete(timer);
  }

  /** Lets time pass, in milliseconds, and what became due run to its next wait. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = [...this.#timers]
        .filter(({ dueAt }) => dueAt <= end)
        .toSorted((left, right) => left.dueAt - right.dueAt);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.callback();
      await settle();
    }
    this.#now = end;
  }
}
