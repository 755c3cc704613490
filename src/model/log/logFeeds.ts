import type { Disposable } from '../../base/disposable.ts';
import { executionName, type ExecutionTarget } from '../../domain/targets.ts';
import { LogFeed } from './logFeed.ts';
import { LogTable } from './logTable.ts';
import type { RowStore } from './rowStore.ts';

const maximumFeeds = 100;
/** What is left of values, or of node runs, that are beyond their limit, so that not every row reduces them again. */
const keptShare = 3 / 4;

/** In bytes, over all feeds. */
export const maximumValueBytes = 64 * 1024 * 1024;
/** The same of node runs: about 40,000 of them. The default limit of the local service is 100,000 iterations, each with all its nodes. */
const maximumRunBytes = 128 * 1024 * 1024;

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
  readonly #maximumRunBytes: number;
  /** The name of the feed that was used last. */
  #latest = '';

  /** `onDidChange` is called with the execution whose rows changed. `store`: where the rows are kept. `maximumBytes`: of node runs. */
  constructor(
    onDidChange: (target: ExecutionTarget) => void,
    store: RowStore,
    maximumBytes: number = maximumRunBytes,
  ) {
    this.#maximumRunBytes = maximumBytes;
    this.#onDidChange = onDidChange;
    this.#store = store;
  }

  /** The estimated size of the values of all feeds. */
  get valueBytes(): number {
    return this.#sum((feed) => feed.valueBytes);
  }

  /** The estimated size of all node runs. */
  get runBytes(): number {
    return this.#sum((feed) => feed.runBytes);
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
    const feed = new LogFeed(new LogTable(this.#store), () => {
      // It may have been dropped.
      if (this.#held.get(name)?.feed !== feed) return;
      this.#onDidChange(target);
      this.#fit(name);
    });
    return feed;
  }

  #drop(name: string, feed: LogFeed): void {
    this.#held.delete(name);
    feed.dispose();
    if (name === this.#latest) this.#latest = '';
  }

  /**
   * Drops whole feeds first, the least recently used one first. In the remaining ones it then forgets node runs and truncates values. `used`
   * isn't dropped.
   */
  #fit(used: string): void {
    for (const [name, { feed, keepers }] of this.#held) {
      if (this.#isWithinBounds()) return;
      if (name !== used && keepers === 0) this.#drop(name, feed);
    }
    this.#reduce(
      this.#maximumRunBytes,
      (feed) => feed.runBytes,
      (feed, bytes) => feed.forgetRuns(bytes),
    );
    this.#reduce(
      maximumValueBytes,
      (feed) => feed.valueBytes,
      (feed, bytes) => feed.reduceValues(bytes),
    );
  }

  /** `reduce`: makes a feed smaller by so many bytes, as far as it can. */
  #reduce(
    maximum: number,
    sizeOf: (feed: LogFeed) => number,
    reduce: (feed: LogFeed, bytes: number) => void,
  ): void {
    const bytes = this.#sum(sizeOf);
    let excess = bytes > maximum ? bytes - maximum * keptShare : 0;
    for (const { target, feed } of [...this.#held.values()]) {
      if (excess <= 0) return;
      const before = sizeOf(feed);
      reduce(feed, excess);
      if (sizeOf(feed) === before) continue;
      excess -= before - sizeOf(feed);
      this.#onDidChange(target);
    }
  }

  #sum(sizeOf: (feed: LogFeed) => number): number {
    let sum = 0;
    for (const { feed } of this.#held.values()) sum += sizeOf(feed);
    return sum;
  }

  #isWithinBounds(): boolean {
    return (
      this.valueBytes <= maximumValueBytes &&
      this.runBytes <= this.#maximumRunBytes &&
      this.#held.size <= maximumFeeds
    );
  }
}
