// The node runs of an execution as a tree: the iterations of a loop are below the loop.
import { stringifyJson } from '../../base/json.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunState } from '../../domain/status.ts';
import { Attempts } from './attempts.ts';
import { Iterations, rangeSize } from './iterations.ts';
import { type NodeSummary, worstState } from './nodeSummary.ts';
import { type IterationSelection, type NodeView, SelectedPath, viewNode } from './nodeView.ts';
import {
  isLoop,
  IterationItem,
  type LoopItem,
  NodeItems,
  type RangeItem,
  type RepeatedItem,
  RunItem,
  type RunTreeItem,
  Scope,
  type UnknownLoopItem,
} from './runItems.ts';

/** Indices of iterations, and how many of them count. */
export interface RangeSummary {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly failed: number;
  readonly state: RunState;
}

/**
 * Which run belongs to which iteration of which loop, and which attempt took the place of another: found from the records alone, so it's
 * what happened, whatever became of the definition. Iterations belong to the last loop before them. The cost of an update is that of what
 * has changed.
 */
export class RunTree {
  #root = new Scope(null);
  /** In the order of the runs. */
  readonly #items: RunItem[] = [];
  readonly #nodes = new Map<string, NodeItems>();
  readonly #byKey = new Map<string, RunTreeItem>();
  #isNumbered = true;

  /** What is in no loop. */
  get root(): Scope {
    return this.#root;
  }

  /** The items at the top. */
  get items(): readonly RunTreeItem[] {
    return this.#root.items;
  }

  /** False if the service repeats nodes without saying in which iteration: then it can't be known what a run could see. */
  get isNumbered(): boolean {
    return this.#isNumbered;
  }

  /** The run that received the input; undefined if the service records none. */
  get trigger(): NodeRun | undefined {
    return [...this.#root.latest.values()].find(({ run }) => run.nodeType === 'trigger')?.run;
  }

  /** How many runs there are. */
  get count(): number {
    return this.#items.length;
  }

  /** `position`: from 0, in the order of the runs. */
  at(position: number): RunItem | undefined {
    return this.#items[position];
  }

  find(key: string): RunTreeItem | undefined {
    return this.#byKey.get(key);
  }

  findRun(key: string): RunItem | undefined {
    const item = this.#byKey.get(key);
    return item?.kind === 'run' ? item : undefined;
  }

  /**
   * Returns the last run that failed and that no later attempt replaced, if possible one that wasn't handled. `nodeId`: of this node; null:
   * of any.
   */
  findFailed(nodeId: string | null): NodeRun | undefined {
    const failed = this.#items.filter(
      (item) => hasFailed(item) && (nodeId === null || item.run.nodeId === nodeId),
    );
    return (failed.findLast(({ run }) => !run.isHandled) ?? failed.at(-1))?.run;
  }

  /** Each node's runs summed up, by its id, in the order of their first runs. */
  summaries(): ReadonlyMap<string, NodeSummary> {
    return new Map([...this.#nodes].map(([nodeId, { summary }]) => [nodeId, summary]));
  }

  /** What is to be seen of each node in the selected iterations, by its id, in the order of their first runs. */
  select(selected: IterationSelection): ReadonlyMap<string, NodeView> {
    return new Map([...this.#nodes].map(([nodeId, node]) => [nodeId, viewNode(this.#root, node, selected)]));
  }

  /** Returns the last attempt of a node's run in the selected iterations. */
  selectRun(nodeId: string, selected: IterationSelection): RunItem | undefined {
    const node = this.#nodes.get(nodeId);
    return node && new SelectedPath(this.#root, node.first, selected).item;
  }

  /** `changed`: runs that are new or have changed, by their places among the `count` runs there are now, in the order of their first rows. */
  update(changed: readonly (readonly [position: number, run: NodeRun])[], count: number): void {
    const hasMoved = count < this.#items.length || changed.some(([at, run]) => this.#isOther(at, run));
    if (!hasMoved) {
      for (const [position, run] of changed) this.#put(position, run);
      return;
    }
    const runs = new Map(changed);
    this.#rebuild(Array.from({ length: count }, (_, at) => runs.get(at) ?? this.#items[at]?.run));
  }

  childrenOf(item: RunTreeItem): readonly RunTreeItem[] {
    if (item.kind === 'iteration') return item.scope.items;
    if (item.kind === 'range') return membersOf(item.owner).slice(item.from, item.from + rangeSize);
    const members = membersOf(item);
    if (members.length <= rangeSize) return members;
    const count = Math.ceil(members.length / rangeSize);
    return Array.from({ length: count }, (_, at) => this.#range(item, at * rangeSize));
  }

  /** What the members of a range are, together. */
  summarize(range: RangeItem): RangeSummary {
    const members = membersOf(range.owner).slice(range.from, range.from + rangeSize);
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
    if (item.kind === 'iteration') return this.#aboveMember(item, item.owner);
    if (item.kind === 'run' && item.repeats !== null) return this.#aboveMember(item, item.repeats);
    return item.scope.iteration ?? undefined;
  }

  #aboveMember({ index }: RunItem | IterationItem, owner: RunItem | LoopItem): RunTreeItem {
    const { iterations } = owner;
    if (iterations === null || iterations.members.length <= rangeSize) return owner;
    const at = iterations.positionOf(index);
    return this.#range(owner, at - (at % rangeSize));
  }

  #range(owner: RunItem | LoopItem, from: number): RunTreeItem {
    const key = stringifyJson([owner.key, 'from', from]);
    return this.#byKey.get(key) ?? this.#keep({ kind: 'range', key, owner, from });
  }

  /** True when the tree can't keep the place of a run. */
  #isOther(position: number, run: NodeRun): boolean {
    const before = this.#items[position]?.run;
    return before !== undefined && (before.key !== run.key || isLoop(before) !== isLoop(run));
  }

  #rebuild(runs: readonly (NodeRun | undefined)[]): void {
    this.#root = new Scope(null);
    this.#items.length = 0;
    this.#nodes.clear();
    this.#byKey.clear();
    this.#isNumbered = true;
    for (const [position, run] of runs.entries()) if (run !== undefined) this.#put(position, run);
  }

  #keep<T extends RunTreeItem>(item: T): T {
    this.#byKey.set(item.key, item);
    return item;
  }

  #put(position: number, run: NodeRun): void {
    const known = this.#items[position];
    if (known?.run === run) return;
    if (known !== undefined) known.run = run;
    this.#touch(known ?? this.#add(run));
  }

  #add(run: NodeRun): RunItem {
    const scope = this.#scopeOf(run.iteration);
    const item = this.#keep(new RunItem(scope, this.#items.length, run));
    this.#items.push(item);
    const node = this.#nodes.get(run.nodeId);
    if (node === undefined) this.#nodes.set(run.nodeId, new NodeItems(item));
    else node.add(item);
    const before = scope.latest.get(run.nodeId);
    scope.latest.set(run.nodeId, item);
    const isRepeated = before !== undefined && before.run.attempt >= run.attempt;
    const repeated = scope.repeated.get(run.nodeId) ?? (isRepeated ? this.#gather(scope, before) : undefined);
    if (repeated === undefined) {
      scope.items.push(item);
      this.#supersede(before, item);
    } else {
      addRepetition(repeated, item);
      this.#supersede(repeated.attempts.add(item), item);
    }
    if (isLoop(run)) scope.loop = item;
    return item;
  }

  #supersede(earlier: RunItem | undefined, item: RunItem): void {
    if (earlier === undefined) return;
    earlier.isSuperseded = true;
    item.earlier = earlier;
    this.#touch(earlier);
  }

  /** Moves the runs of a node that runs again below an item of their own. */
  #gather(scope: Scope, last: RunItem): RepeatedItem {
    const { nodeId, nodeName } = last.run;
    const repeated: RepeatedItem = this.#keepLoop({
      kind: 'loop',
      key: keyIn(scope, 'repeats', nodeId),
      scope,
      name: nodeName,
      iterations: new Iterations(),
      attempts: new Attempts(),
    });
    const isOfNode = (item: RunItem | LoopItem): item is RunItem =>
      item.kind === 'run' && item.run.nodeId === nodeId;
    const earlier = scope.items.filter(isOfNode);
    scope.items.splice(scope.items.findIndex(isOfNode), 1, repeated);
    scope.items = scope.items.filter((item) => !isOfNode(item));
    scope.repeated.set(nodeId, repeated);
    for (const item of earlier) addRepetition(repeated, item);
    repeated.attempts.add(last);
    return repeated;
  }

  #keepLoop<L extends LoopItem>(loop: L): L {
    this.#isNumbered = false;
    return this.#keep(loop);
  }

  /** Returns what these iterations of loops lead to. */
  #scopeOf(iteration: readonly number[]): Scope {
    let scope = this.#root;
    for (const index of iteration) {
      const loop = (scope.loop ??= this.#addUnknownLoop(scope));
      scope = this.#iterationOf(loop, index).scope;
    }
    return scope;
  }

  #addUnknownLoop(scope: Scope): UnknownLoopItem {
    const key = keyIn(scope, 'loop');
    const loop: UnknownLoopItem = { kind: 'loop', key, scope, name: '', iterations: new Iterations() };
    this.#keepLoop(loop);
    scope.items.push(loop);
    scope.unknownLoop = loop;
    return loop;
  }

  #iterationOf(owner: RunItem | UnknownLoopItem, index: number): IterationItem {
    const iterations = owner.kind === 'loop' ? owner.iterations : (owner.iterations ??= new Iterations());
    const known = iterations.at(index);
    if (known !== undefined) return known;
    const iteration = this.#keep(new IterationItem(stringifyJson([owner.key, index]), owner, index));
    iterations.add(iteration);
    return iteration;
  }

  /** Has all that depends on the run counted anew. */
  #touch(item: RunItem): void {
    this.#nodes.get(item.run.nodeId)?.touch();
    item.repeats?.iterations.touch(item);
    let { iteration } = item.scope;
    while (iteration !== null) {
      iteration.owner.iterations?.touch(iteration);
      ({ iteration } = iteration.owner.scope);
    }
  }
}

function membersOf({ iterations }: RunItem | LoopItem): readonly (IterationItem | RunItem)[] {
  return iterations?.members ?? [];
}

/** The key of what belongs to a scope itself. */
function keyIn({ iteration }: Scope, ...place: readonly string[]): string {
  return stringifyJson([iteration?.key ?? '', ...place]);
}

function addRepetition(repeated: RepeatedItem, item: RunItem): void {
  item.repeats = repeated;
  item.index = repeated.iterations.members.length;
  repeated.iterations.add(item);
}

/** A service that only has lines of text reports no state, but may report an error. */
function hasFailed({ isSuperseded, run: { status, error } }: RunItem): boolean {
  return !isSuperseded && (status === null ? error !== null : status.state === 'failed');
}
