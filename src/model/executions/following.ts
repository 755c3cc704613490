// Follows executions until their own end, as a state machine that a person can see and always start again.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clients } from '../clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../ports.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { Executions } from './executions.ts';
import { type Follow, Follower, type FollowState } from './follower.ts';

export type { Follow, FollowState } from './follower.ts';

export interface Following extends Disposable {
  /** Every change of state of any follow. */
  readonly onDidChange: Event<Follow>;
  /** Those under way. */
  readonly current: readonly Follow[];
  /** Begins, or returns the follow under way for this execution. */
  follow(target: ExecutionTarget): Follow;
  stopFollowing(target: ExecutionTarget): void;
  /** The follow under way, or the last one of this execution. */
  find(target: ExecutionTarget): Follow | undefined;
}

export interface FollowingDeps {
  readonly connections: Connections;
  readonly clients: Clients;
  readonly executions: Executions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How many follows that are over are remembered, for showing how they ended. */
const maximumOver = 200;

/** Builds the store of follows; each goes on with its own connection's client whichever connection is active. */
export function createFollowing(deps: FollowingDeps): Following {
  return new HeldFollows(deps);
}

class HeldFollows implements Following {
  readonly #deps: FollowingDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<Follow>());
  readonly onDidChange = this.#changes.event;
  readonly #followers = new Map<string, Follower>();

  constructor(deps: FollowingDeps) {
    this.#deps = deps;
    this.#owned.add(
      deps.connections.all.onDidChange(() => {
        for (const follower of this.#followers.values())
          if (!deps.connections.find(follower.target.connectionId)) follower.stop();
      }),
    );
  }

  get current(): readonly Follow[] {
    return [...this.#followers.values()].filter(({ isOver }) => !isOver);
  }

  follow(target: ExecutionTarget): Follow {
    const existing = this.#followers.get(nameOf(target));
    if (existing && !existing.isOver) return existing;
    const follower = new Follower(this.#deps, target);
    this.#followers.delete(nameOf(target));
    this.#followers.set(nameOf(target), follower);
    this.#forgetOldest();
    follower.state.onDidChange((state: FollowState) => {
      this.#deps.logger.debug(`Following ${target.executionId}: ${state.kind}`);
      this.#changes.fire(follower);
    });
    follower.start();
    this.#changes.fire(follower);
    return follower;
  }

  stopFollowing(target: ExecutionTarget): void {
    this.#followers.get(nameOf(target))?.stop();
  }

  find(target: ExecutionTarget): Follow | undefined {
    return this.#followers.get(nameOf(target));
  }

  dispose(): void {
    this.#owned.dispose();
    for (const follower of this.#followers.values()) follower.stop();
    this.#followers.clear();
  }

  #forgetOldest(): void {
    if (this.#followers.size <= maximumOver) return;
    const oldest = [...this.#followers].find(([, { isOver }]) => isOver);
    if (oldest) this.#followers.delete(oldest[0]);
  }
}

function nameOf({ connectionId, executionId }: ExecutionTarget): string {
  return JSON.stringify([connectionId, executionId]);
}
