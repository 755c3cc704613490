// The node runs of an execution as a tree: the turns of a loop are below the loop.
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunState } from '../../domain/status.ts';
import { worstState } from './nodeSummaries.ts';
import { type Member, rangeSize, Turns } from './turns.ts';

/** What contains runs in order: the execution, or a turn. */
interface Scope {
  /** null for the execution. */
  readonly turn: TurnItem | null;
  items: (RunItem | LoopItem)[];
  /** The last run of each node. */
  readonly latest: Map<string, RunItem>;
  /** The nodes that run again without a numbered turn. */
  readonly repeated: Map<string, LoopItem>;
  /** The loop that the next turns belong to. */
  loop: RunItem | LoopItem | null;
}

/** A node run; with turns if its node is a loop. */
export interface RunItem extends Member {
  readonly kind: 'run';
  readonly key: string;
  readonly scope: Scope;
  run: NodeRun;
  /** A later attempt took its place. */
  isSuperseded: boolean;
  /** The repeated node that the run belongs to; null unless the service leaves turns unnumbered. */
  repeats: LoopItem | null;
  /** The place among the runs of a repeated node. */
  index: number;
  readonly turns: Turns<LoopMember>;
}

/** A loop that has no run of its own: the service doesn't say which node it is, or repeats a node without numbering the turns. */
export interface LoopItem {
  readonly kind: 'loop';
  readonly key: string;
  readonly scope: Scope;
  /** The name of the repeated node; empty if it isn't known. */
  readonly name: string;
  readonly turns: Turns<LoopMember>;
}

/** A turn of a loop. */
export interface TurnItem extends Member {
  readonly kind: 'turn';
  readonly key: string;
  readonly state: RunState;
  readonly owner: RunItem | LoopItem;
  readonly scope: Scope;
}

/** Some successive turns of a loop with many. */
export interface RangeItem {
  readonly kind: 'range';
  readonly key: string;
  readonly owner: RunItem | LoopItem;
  readonly from: number;
}

/** Indices of turns, and how many turns count. */
export interface RangeSummary {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly failed: number;
  readonly state: RunState;
}

type LoopMember = TurnItem | RunItem;
export type RunTreeItem = RunItem | LoopItem | TurnItem | RangeItem;

const loopTypes = /each|loop|iterat|while|repeat|batch|parallel|^map$/i;

/** True for a node type whose name says that it repeats other nodes. */
export function isLoop({ nodeType }: NodeRun): boolean {
  return nodeType !== null && loopTypes.test(nodeType);
}

function stateOf(run: NodeRun): RunState {
  return run.status?.state ?? 'unknown';
}

/** True when the tree can't keep the place of a run. */
function isOther(before: NodeRun | undefined, after: NodeRun | undefined): boolean {
  if (before === undefined) return false;
  return before.key !== after?.key || isLoop(before) !== isLoop(after);
}

/** The places at which the lists differ. */
function* differences(before: readonly NodeRun[], after: readonly NodeRun[]): Generator<number> {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length; at += 1) if (before[at] !== after[at]) yield at;
}

function createScope(turn: TurnItem | null): Scope {
  return { turn, items: [], latest: new Map(), repeated: new Map(), loop: null };
}

/** The most urgent state; a failure in a turn below counts even if its loop went on. */
function worstOf({ items }: Scope): RunState {
  return worstState(
    items.flatMap((item) => {
      const below = item.turns.members.length === 0 ? [] : [item.turns.state];
      return item.kind === 'loop' || item.state === null ? below : [item.state, ...below];
    }),
  );
}

/** Built from the runs in the order of their first rows. An update costs as much as changed, besides one comparison for each run. */
export class RunTree {
  #root = createScope(null);
  readonly #items: RunItem[] = [];
  #runs: readonly NodeRun[] = [];
  readonly #byKey = new Map<string, RunTreeItem>();

  /** The items at the top. */
  get items(): readonly RunTreeItem[] {
    return this.#root.items;
  }

  find(key: string): RunTreeItem | undefined {
    return this.#byKey.get(key);
  }

  /** Replaces the runs. */
  update(runs: readonly NodeRun[]): void {
    const before = this.#runs;
    if (runs === before) return;
    this.#runs = runs;
    const changed = [...differences(before, runs)];
    const hasMoved = changed.some((at) => isOther(before[at], runs[at]));
    if (hasMoved) this.#clear();
    for (const at of hasMoved ? runs.keys() : changed) {
      const run = runs[at];
      const item = this.#items[at];
      if (run !== undefined && item === undefined) this.#add(run);
      else if (run !== undefined && item !== undefined) {
        item.run = run;
        this.#touch(item);
      }
    }
  }

  childrenOf(item: RunTreeItem): readonly RunTreeItem[] {
    if (item.kind === 'turn') return item.scope.items;
    if (item.kind === 'range') return item.owner.turns.members.slice(item.from, item.from + rangeSize);
    const { members } = item.turns;
    if (members.length <= rangeSize) return members;
    const count = Math.ceil(members.length / rangeSize);
    return Array.from({ length: count }, (_, at) => this.#range(item, at * rangeSize));
  }

  /** What the turns of a range are, together. */
  summarize(range: RangeItem): RangeSummary {
    const members = this.childrenOf(range).filter((item) => item.kind === 'turn' || item.kind === 'run');
    const states = members.flatMap(({ state }) => state ?? []);
    return {
      first: members[0]?.index ?? 0,
      last: members.at(-1)?.index ?? 0,
      total: states.length,
      failed: states.filter((state) => state === 'failed').length,
      state: worstState(states),
    };
  }

  /** undefined: the execution. */
  parentOf(item: RunTreeItem): RunTreeItem | undefined {
    if (item.kind === 'range') return item.owner;
    if (item.kind === 'turn') return this.#ownerOf(item, item.owner);
    if (item.kind === 'run' && item.repeats !== null) return this.#ownerOf(item, item.repeats);
    return item.scope.turn ?? undefined;
  }

  #ownerOf(member: LoopMember, owner: RunItem | LoopItem): RunTreeItem {
    if (owner.turns.members.length <= rangeSize) return owner;
    const at = owner.turns.positionOf(member);
    return this.#range(owner, at - (at % rangeSize));
  }

  #range(owner: RunItem | LoopItem, from: number): RunTreeItem {
    const key = JSON.stringify([owner.key, 'from', from]);
    return this.#byKey.get(key) ?? this.#keep({ kind: 'range', key, owner, from });
  }

  #clear(): void {
    this.#root = createScope(null);
    this.#items.length = 0;
    this.#byKey.clear();
  }

  #keep<T extends RunTreeItem>(item: T): T {
    this.#byKey.set(item.key, item);
    return item;
  }

  #add(run: NodeRun): void {
    const scope = this.#scopeOf(run.iteration);
    const item: RunItem = this.#keep({
      kind: 'run',
      key: run.key,
      scope,
      run,
      isSuperseded: false,
      repeats: null,
      index: 0,
      turns: new Turns<LoopMember>(),
      get state() {
        return item.isSuperseded ? null : stateOf(item.run);
      },
    });
    this.#items.push(item);
    const earlier = scope.latest.get(run.nodeId);
    scope.latest.set(run.nodeId, item);
    if (earlier !== undefined && earlier.run.attempt < run.attempt) {
      earlier.isSuperseded = true;
      this.#touch(earlier);
    }
    const isRepeated = earlier !== undefined && earlier.run.attempt >= run.attempt;
    const repeats = scope.repeated.get(run.nodeId) ?? (isRepeated ? this.#gather(scope, run) : undefined);
    if (repeats === undefined) scope.items.push(item);
    else this.#repeat(repeats, item);
    if (isLoop(run)) scope.loop = item;
    this.#touch(item);
  }

  /** Moves the runs of a node that runs again below an item of their own. */
  #gather(scope: Scope, { nodeId, nodeName }: NodeRun): LoopItem {
    const loop = this.#createLoop(scope, nodeName, ['repeats', nodeId]);
    const isOfNode = (item: RunItem | LoopItem): item is RunItem =>
      item.kind === 'run' && item.run.nodeId === nodeId;
    const first = scope.items.findIndex(isOfNode);
    const earlier = scope.items.filter(isOfNode);
    scope.items.splice(first, 1, loop);
    scope.items = scope.items.filter((item) => !isOfNode(item));
    scope.repeated.set(nodeId, loop);
    for (const item of earlier) this.#repeat(loop, item);
    return loop;
  }

  #repeat(loop: LoopItem, item: RunItem): void {
    item.repeats = loop;
    item.index = loop.turns.members.length;
    loop.turns.add(item);
  }

  #createLoop(scope: Scope, name: string, place: readonly string[]): LoopItem {
    const key = JSON.stringify([scope.turn?.key ?? '', ...place]);
    return this.#keep({ kind: 'loop', key, scope, name, turns: new Turns<LoopMember>() });
  }

  /** Returns the turn that these turns of loops lead to. Turns belong to the last loop before them. */
  #scopeOf(iteration: readonly number[]): Scope {
    let scope = this.#root;
    for (const index of iteration) {
      scope.loop ??= this.#createUnknownLoop(scope);
      scope = this.#turnOf(scope.loop, index).scope;
    }
    return scope;
  }

  #createUnknownLoop(scope: Scope): LoopItem {
    const loop = this.#createLoop(scope, '', ['loop']);
    scope.items.push(loop);
    return loop;
  }

  #turnOf(owner: RunItem | LoopItem, index: number): TurnItem {
    const key = JSON.stringify([owner.key, index]);
    const known = this.#byKey.get(key);
    if (known?.kind === 'turn') return known;
    const turn: TurnItem = this.#keep({
      kind: 'turn',
      key,
      owner,
      index,
      get scope() {
        return scope;
      },
      get state() {
        return worstOf(scope);
      },
    });
    const scope = createScope(turn);
    owner.turns.add(turn);
    return turn;
  }

  /** Has the states of everything above counted anew. */
  #touch(item: RunItem): void {
    item.repeats?.turns.touch(item);
    let { turn } = item.scope;
    while (turn !== null) {
      turn.owner.turns.touch(turn);
      turn = turn.owner.scope.turn;
    }
  }
}
