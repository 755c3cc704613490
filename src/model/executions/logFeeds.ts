// The log feeds of all connections, bounded together: what is let go is read again when it is shown again.
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { OrderedFeed } from './logFeed.ts';

const maximumFeeds = 100;
/** What is cut at once beyond the bound, so that not every row cuts again. */
const cutShare = 1 / 4;

/** In bytes, over all feeds. */
export const maximumFeedBytes = 64 * 1024 * 1024;

interface Held {
  readonly target: ExecutionTarget;
  readonly feed: OrderedFeed;
  /** How many need it to stay whole in its rows. */
  keepers: number;
}

export class LogFeeds implements Disposable {
  /** The one longest unused first. */
  readonly #held = new Map<string, Held>();
  readonly #onDidChangeNodeRuns: (target: ExecutionTarget) => void;

  constructor(onDidChangeNodeRuns: (target: ExecutionTarget) => void) {
    this.#onDidChangeNodeRuns = onDidChangeNodeRuns;
  }

  /** The bytes of all. */
  get bytes(): number {
    let bytes = 0;
    for (const { feed } of this.#held.values()) bytes += feed.bytes;
    return bytes;
  }

  /** The feed of an execution. It may be let go of at any time: whoever still holds it may go on using it. */
  get(target: ExecutionTarget): OrderedFeed {
    return this.#use(target).feed;
  }

  /** Until it is disposed of, the execution has the same feed, and no row of it goes. */
  keep(target: ExecutionTarget): Disposable {
    const held = this.#use(target);
    held.keepers += 1;
    return toDisposable(() => {
      held.keepers -= 1;
    });
  }

  forgetOthers(isWanted: (target: ExecutionTarget) => boolean): void {
    for (const [name, { target, feed }] of this.#held) {
      if (isWanted(target)) continue;
      this.#held.delete(name);
      feed.dispose();
    }
  }

  dispose(): void {
    for (const { feed } of this.#held.values()) feed.dispose();
    this.#held.clear();
  }

  #use({ connectionId, executionId }: ExecutionTarget): Held {
    const target = { connectionId, executionId };
    const name = JSON.stringify([connectionId, executionId]);
    const existing = this.#held.get(name);
    const held = existing ?? { target, feed: this.#create(target, name), keepers: 0 };
    this.#held.delete(name);
    this.#held.set(name, held);
    if (existing === undefined) this.#fit(name);
    return held;
  }

  #create(target: ExecutionTarget, name: string): OrderedFeed {
    const feed = new OrderedFeed(() => this.#fit(name));
    feed.nodeRuns.onDidChange(() => this.#onDidChangeNodeRuns(target));
    return feed;
  }

  /** Lets go of whole feeds first, the one longest unused before others, then of values in what is left. used: stays. */
  #fit(used: string): void {
    let { bytes } = this;
    for (const [name, { feed, keepers }] of [...this.#held]) {
      if (bytes <= maximumFeedBytes && this.#held.size <= maximumFeeds) return;
      if (name === used || keepers > 0) continue;
      this.#held.delete(name);
      bytes -= feed.bytes;
    }
    if (bytes <= maximumFeedBytes) return;
    const wanted = maximumFeedBytes * (1 - cutShare);
    for (const { feed } of this.#held.values()) {
      if (bytes <= wanted) return;
      const before = feed.bytes;
      feed.cut(bytes - wanted);
      bytes -= before - feed.bytes;
    }
  }
}
