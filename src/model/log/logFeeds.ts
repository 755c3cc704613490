import type { Disposable } from '../../base/disposable.ts';
import { executionName, type ExecutionTarget } from '../../domain/targets.ts';
import { LogFeed } from './logFeed.ts';
import { LogTable } from './logTable.ts';
import type { RowStore } from './rowStore.ts';

const maximumFeeds = 100;
/** The share that is truncated beyond the limit, so that not every row truncates again. */
const truncatedShare = 1 / 4;

/** In bytes, over all feeds. */
export const maximumFeedBytes = 64 * 1024 * 1024;

interface Held {
  readonly target: ExecutionTarget;
  readonly feed: LogFeed;
  /** The number of holders that need the feed to keep its rows. */
  keepers: number;
}

/** A feed that stays the same and keeps its rows until it's disposed of. */
export interface KeptFeed extends Disposable {
  readonly feed: LogFeed;
}

/** The log feeds of all connections, with a common limit. A dropped feed is read again when it's shown again. */
export class LogFeeds implements Disposable {
  /** The least recently used feed comes first. */
  readonly #held = new Map<string, Held>();
  readonly #onDidChange: (target: ExecutionTarget) => void;
  readonly #store: RowStore;
  /** The name of the feed that was used last. */
  #latest = '';
  #bytes = 0;

  /** `onDidChange` is called with the execution whose rows changed. `store`: where the rows are kept. */
  constructor(onDidChange: (target: ExecutionTarget) => void, store: RowStore) {
    this.#onDidChange = onDidChange;
    this.#store = store;
  }

  /** The estimated size of all feeds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the feed of an execution. It may be dropped at any time, but its holder can continue to use it. */
  get(target: ExecutionTarget): LogFeed {
    return this.#use(target).feed;
  }

  /** Until it's disposed of, the execution keeps the same feed with all its rows. */
  keep(target: ExecutionTarget): KeptFeed {
    const held = this.#use(target);
    held.keepers += 1;
    let isKept = true;
    return {
      feed: held.feed,
      dispose() {
        if (isKept) held.keepers -= 1;
        isKept = false;
      },
    };
  }

  forgetOthers(isWanted: (target: ExecutionTarget) => boolean): void {
    for (const [name, { target, feed }] of this.#held) {
      if (isWanted(target)) continue;
      this.#drop(name, feed);
    }
  }

  /** The rows go with their store. */
  dispose(): void {
    this.#held.clear();
  }

  #use({ connectionId, executionId }: ExecutionTarget): Held {
    const target = { connectionId, executionId };
    const name = executionName(target);
    const existing = this.#held.get(name);
    if (existing && name === this.#latest) return existing;
    const held = existing ?? { target, feed: this.#create(target, name), keepers: 0 };
    this.#held.delete(name);
    this.#held.set(name, held);
    this.#latest = name;
    if (existing === undefined) this.#fit(name);
    return held;
  }

  #create(target: ExecutionTarget, name: string): LogFeed {
    const feed = new LogFeed(new LogTable(this.#store), (grownBytes) => {
      // A dropped feed isn't counted.
      if (this.#held.get(name)?.feed !== feed) return;
      this.#bytes += grownBytes;
      this.#onDidChange(target);
      this.#fit(name);
    });
    return feed;
  }

  #drop(name: string, feed: LogFeed): void {
    this.#held.delete(name);
    this.#bytes -= feed.bytes;
    feed.dispose();
    if (name === this.#latest) this.#latest = '';
  }

  /**
   * Drops whole feeds first, the least recently used one first. In the remaining ones it then truncates values. `used` isn't dropped.
   */
  #fit(used: string): void {
    if (this.#isWithinBounds()) return;
    for (const [name, { feed, keepers }] of this.#held) {
      if (name === used || keepers > 0) continue;
      this.#drop(name, feed);
      if (this.#isWithinBounds()) return;
    }
    if (this.#bytes <= maximumFeedBytes) return;
    const wanted = maximumFeedBytes * (1 - truncatedShare);
    for (const { target, feed } of [...this.#held.values()]) {
      if (this.#bytes <= wanted) return;
      const before = feed.bytes;
      feed.truncate(this.#bytes - wanted);
      if (feed.bytes === before) continue;
      this.#bytes -= before - feed.bytes;
      this.#onDidChange(target);
    }
  }

  #isWithinBounds(): boolean {
    return this.#bytes <= maximumFeedBytes && this.#held.size <= maximumFeeds;
  }
}
