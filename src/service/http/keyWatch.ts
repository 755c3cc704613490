// Ends the streams of a key that is revoked or expires: a request's key is checked once, but a stream lasts.
import { combine, type Disposable, toDisposable } from '../../base/disposable.ts';
import { type Now, systemClock } from '../../base/time.ts';
import type { ApiKeyJson } from '../../protocol/records.ts';
import type { Store } from '../store/store.ts';
import type { EventSource } from './eventStream.ts';

/** Returns why the key can't be used; undefined when it can. */
export function endOf(key: ApiKeyJson, now: number): 'revoked' | 'expired' | undefined {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now ? 'expired' : undefined;
}

/** Watches the keys of open streams; each change costs one look at each key, however many streams it has. */
export class KeyWatch {
  readonly #store: Pick<Store, 'keys' | 'subscribe'>;
  readonly #now: Now;
  /** By key id. */
  readonly #watched = new Map<string, WatchedKey>();

  constructor(store: Pick<Store, 'keys' | 'subscribe'>, now: Now) {
    this.#store = store;
    this.#now = now;
  }

  /** Returns the source for as long as the key may read it: it ends when the key does. */
  guard(source: EventSource, key: ApiKeyJson): EventSource {
    let hasEnded = false;
    const isOver = (): boolean => hasEnded;
    // The key can have ended since the request was checked.
    let firstLook: Promise<void> | undefined;
    const end = { frames: [], isEnd: true };
    return {
      subscribe: (listener) => {
        const watched = this.#watch(key);
        const watching = watched.add(() => {
          hasEnded = true;
          listener();
        });
        firstLook = watched.look();
        const forget = toDisposable(() => this.#forget(watched));
        return combine(source.subscribe(listener), forget, watching);
      },
      async read() {
        await firstLook;
        if (isOver()) return end;
        const result = await source.read();
        return isOver() ? end : result;
      },
    };
  }

  #watch(key: ApiKeyJson): WatchedKey {
    const watched = this.#watched.get(key.id) ?? new WatchedKey(this.#store, this.#now, key);
    this.#watched.set(key.id, watched);
    return watched;
  }

  #forget(watched: WatchedKey): void {
    if (watched.isUnused) this.#watched.delete(watched.id);
  }
}

/** Looks at a key when keys have changed, and when it expires, while it has listeners. */
class WatchedKey {
  readonly #store: Pick<Store, 'keys' | 'subscribe'>;
  readonly #now: Now;
  readonly #key: ApiKeyJson;
  readonly #listeners = new Set<() => void>();
  #subscription: Disposable | undefined;
  #timer: Disposable | undefined;

  constructor(store: Pick<Store, 'keys' | 'subscribe'>, now: Now, key: ApiKeyJson) {
    this.#store = store;
    this.#now = now;
    this.#key = key;
  }

  get id(): string {
    return this.#key.id;
  }

  get isUnused(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: () => void): Disposable {
    this.#listeners.add(listener);
    if (!this.#subscription) {
      this.#subscription = this.#store.subscribe('keys', () => void this.look());
      this.#waitForExpiry();
    }
    return toDisposable(() => {
      this.#listeners.delete(listener);
      if (!this.isUnused) return;
      this.#subscription?.dispose();
      this.#timer?.dispose();
    });
  }

  /** Resolves once the listeners know whether the key has ended. A key that can't be read may have ended: its readers ask again. */
  async look(): Promise<void> {
    const key = await this.#store.keys.get(this.#key.id).catch(() => undefined);
    if (!key || endOf(key, this.#now())) this.#end();
  }

  /** The clock may not have reached the time when the timer ends. */
  #waitForExpiry(): void {
    const { expiresAt } = this.#key;
    if (expiresAt === null) return;
    const leftMs = Date.parse(expiresAt) - this.#now();
    if (leftMs <= 0) this.#end();
    else this.#timer = systemClock.schedule(() => this.#waitForExpiry(), leftMs);
  }

  #end(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
