// The members of a loop: its iterations, or the runs of a node that a service repeats without numbering them.
import { countBefore } from '../../base/sorted.ts';
import type { RunState } from '../../domain/status.ts';
import { worstState } from './nodeSummary.ts';

/** More iterations than this are grouped, as the debugger does with long lists: the editor asks for all rows below an unfolded one. */
export const rangeSize = 100;

export interface Member {
  /** Where the member stands, from 0. */
  readonly index: number;
  /** null: doesn't count, because a later attempt took its place. */
  readonly state: RunState | null;
}

/** Members in the order of their indices, and how many are in each state. The cost of a change doesn't depend on the number of members. */
export class Iterations<M extends Member> {
  readonly #members: M[] = [];
  readonly #counted = new Map<M, RunState | null>();
  readonly #counts = new Map<RunState, number>();
  /** The members whose state may have changed. */
  readonly #stale = new Set<M>();
  #firstFailed: M | undefined;

  get members(): readonly M[] {
    return this.#members;
  }

  /** How many members count. */
  get total(): number {
    this.#count();
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get failed(): number {
    this.#count();
    return this.#counts.get('failed') ?? 0;
  }

  get firstFailed(): M | undefined {
    this.#count();
    return this.#firstFailed;
  }

  /** The most urgent state of any member. */
  get state(): RunState {
    this.#count();
    return worstState([...this.#counts].flatMap(([state, count]) => (count > 0 ? [state] : [])));
  }

  add(member: M): void {
    this.#members.splice(this.positionOf(member.index), 0, member);
    this.touch(member);
  }

  /** Call when a member's state may have changed. */
  touch(member: M): void {
    this.#stale.add(member);
  }

  /** Returns the member with this index. */
  at(index: number): M | undefined {
    const found = this.#members[this.positionOf(index)];
    return found?.index === index ? found : undefined;
  }

  /** The place of the first member whose index isn't lower. */
  positionOf(index: number): number {
    return countBefore(this.#members, (member) => member.index < index);
  }

  #count(): void {
    for (const member of this.#stale) {
      const { state } = member;
      const before = this.#counted.get(member) ?? null;
      if (before !== null) this.#counts.set(before, (this.#counts.get(before) ?? 0) - 1);
      if (state !== null) this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1);
      this.#counted.set(member, state);
      this.#noteFailed(member, state);
    }
    this.#stale.clear();
  }

  /** A failure mostly stays, so members are rarely searched for another one. */
  #noteFailed(member: M, state: RunState | null): void {
    if (state === 'failed') {
      if (member.index < (this.#firstFailed?.index ?? Infinity)) this.#firstFailed = member;
    } else if (member === this.#firstFailed)
      this.#firstFailed = this.#members.find((each) => this.#counted.get(each) === 'failed');
  }
}
