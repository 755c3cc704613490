// What a tree of node runs consists of.
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunState } from '../../domain/status.ts';
import type { Attempts } from './attempts.ts';
import type { Iterations, Member } from './iterations.ts';
import { type NodeSummary, summarize, worstState } from './nodeSummary.ts';

const loopTypes = /each|loop|iterat|while|repeat|batch|parallel|^map$/i;

/** True for a node type whose name says that it repeats other nodes. */
export function isLoop({ nodeType }: NodeRun): boolean {
  return nodeType !== null && loopTypes.test(nodeType);
}

/** What contains runs in order: the execution, or an iteration. */
export class Scope {
  /** null for the execution. */
  readonly iteration: IterationItem | null;
  items: (RunItem | LoopItem)[] = [];
  /** The last run of each node. */
  readonly latest = new Map<string, RunItem>();
  /** The nodes that run again without a numbered iteration. */
  readonly repeated = new Map<string, RepeatedItem>();
  /** The loop that the next iterations belong to. */
  loop: RunItem | UnknownLoopItem | null = null;
  /** The one for iterations of which no node is known to be the loop. */
  unknownLoop: UnknownLoopItem | null = null;

  constructor(iteration: IterationItem | null) {
    this.iteration = iteration;
  }

  /** The most urgent state; a failure in an iteration below counts even if its loop went on, but not one that was handled. */
  get state(): RunState {
    return worstState(
      this.items.flatMap((item) => {
        if (item.kind === 'run' && item.run.isHandled) return [];
        const below = item.iterations === null ? [] : [item.iterations.state];
        return item.kind === 'loop' || item.state === null ? below : [item.state, ...below];
      }),
    );
  }
}

/** The iterations around what a scope contains, the outermost first. */
export function iterationsAround({ iteration }: Scope): readonly IterationItem[] {
  return iteration === null ? [] : [...iterationsAround(iteration.owner.scope), iteration];
}

/** A node run; with iterations if its node is a loop. */
export class RunItem implements Member {
  readonly kind = 'run';
  readonly scope: Scope;
  /** Its place among all runs. */
  readonly position: number;
  run: NodeRun;
  /** A later attempt took its place. */
  isSuperseded = false;
  /** The attempt before it. */
  earlier: RunItem | null = null;
  /** The repeated node that the run belongs to; null unless the service leaves iterations unnumbered. */
  repeats: RepeatedItem | null = null;
  /** The place among the runs of a repeated node. */
  index = 0;
  /** null: it has none so far. */
  iterations: Iterations<IterationItem> | null = null;

  constructor(scope: Scope, position: number, run: NodeRun) {
    this.scope = scope;
    this.position = position;
    this.run = run;
  }

  get key(): string {
    return this.run.key;
  }

  get state(): RunState | null {
    return this.isSuperseded ? null : (this.run.status?.state ?? 'unknown');
  }
}

/** A loop that has no run of its own: the service doesn't say which node it is, or repeats a node without numbering that. */
interface BareLoopItem<M extends Member> {
  readonly kind: 'loop';
  readonly key: string;
  readonly scope: Scope;
  /** The name of the repeated node; empty if it isn't known. */
  readonly name: string;
  readonly iterations: Iterations<M>;
}

export type UnknownLoopItem = BareLoopItem<IterationItem>;
export interface RepeatedItem extends BareLoopItem<RunItem> {
  readonly attempts: Attempts<RunItem>;
}
export type LoopItem = UnknownLoopItem | RepeatedItem;

/** An iteration of a loop. */
export class IterationItem implements Member {
  readonly kind = 'iteration';
  readonly key: string;
  readonly owner: RunItem | UnknownLoopItem;
  readonly index: number;
  readonly scope: Scope = new Scope(this);

  constructor(key: string, owner: RunItem | UnknownLoopItem, index: number) {
    this.key = key;
    this.owner = owner;
    this.index = index;
  }

  get state(): RunState {
    return this.scope.state;
  }
}

/** Some successive members of a loop with many. */
export interface RangeItem {
  readonly kind: 'range';
  readonly key: string;
  readonly owner: RunItem | LoopItem;
  readonly from: number;
}

export type RunTreeItem = RunItem | LoopItem | IterationItem | RangeItem;

/** The runs of one node. They are summed up when somebody asks, and again only after one of them has changed. */
export class NodeItems {
  readonly first: RunItem;
  readonly #items: RunItem[];
  #summary: NodeSummary | undefined;

  constructor(first: RunItem) {
    this.first = first;
    this.#items = [first];
  }

  get summary(): NodeSummary {
    return (this.#summary ??= summarize(this.first.run.nodeId, this.#items));
  }

  add(item: RunItem): void {
    this.#items.push(item);
    this.#summary = undefined;
  }

  /** Call when one of the runs has changed. */
  touch(): void {
    this.#summary = undefined;
  }
}
