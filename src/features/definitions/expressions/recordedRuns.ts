// How the node runs of an execution lie in its loops, and what each of them could see. Found from the records alone, so it's what happened,
// whatever became of the definition. Pure.
import type { NodeRun } from '../../../domain/nodeRun.ts';

/** One pass of a loop's body, or what runs outside of loops. */
export interface Turn {
  /** undefined outside of loops. */
  readonly loop: RecordedRun | undefined;
  readonly index: number;
  /** The last attempt of each node, by its id. */
  readonly runs: ReadonlyMap<string, RecordedRun>;
}

export interface RecordedRun {
  readonly run: NodeRun;
  /** The turn that it's part of. */
  readonly turn: Turn;
  /** Its place among all runs. */
  readonly place: number;
  /** If it's a loop: its turns, by index. */
  readonly turns: ReadonlyMap<number, Turn>;
}

interface OpenTurn extends Turn {
  readonly runs: Map<string, OpenRun>;
}

interface OpenRun extends RecordedRun {
  readonly turn: OpenTurn;
  readonly turns: Map<number, OpenTurn>;
}

export class RecordedRuns {
  /** What runs outside of loops. */
  readonly root: Turn;
  readonly #byNode = new Map<string, RecordedRun[]>();
  readonly #recorded = new Map<NodeRun, RecordedRun>();
  /** False if a service repeats nodes without saying in which turn: then nobody can tell what a run could see. */
  readonly isNumbered: boolean;

  /** `nodeRuns`: in the order of their first rows, which is the order in which they began. */
  constructor(nodeRuns: readonly NodeRun[]) {
    const root: OpenTurn = { loop: undefined, index: 0, runs: new Map() };
    /** The loop that ran last at each place. */
    const loops = new Map<string, OpenRun>();
    let isNumbered = true;
    for (const [place, run] of nodeRuns.entries()) {
      const turn = findTurn(run, root, loops);
      const earlier = turn?.runs.get(run.nodeId);
      if (turn === undefined || (earlier !== undefined && earlier.run.attempt >= run.attempt)) {
        isNumbered = false;
        continue;
      }
      const recorded: OpenRun = { run, turn, place, turns: new Map() };
      turn.runs.set(run.nodeId, recorded);
      if (run.nodeType === 'forEach') loops.set(JSON.stringify(run.iteration), recorded);
      this.#remember(recorded, earlier);
    }
    this.root = root;
    this.isNumbered = isNumbered;
  }

  /** The node's runs in all turns, in order, the last attempt of each. */
  of(nodeId: string): readonly RecordedRun[] {
    return this.#byNode.get(nodeId) ?? [];
  }

  find(run: NodeRun): RecordedRun | undefined {
    return this.#recorded.get(run);
  }

  #remember(recorded: RecordedRun, earlier: RecordedRun | undefined): void {
    const all = this.#byNode.get(recorded.run.nodeId) ?? [];
    if (all.length === 0) this.#byNode.set(recorded.run.nodeId, all);
    // Nothing else of this node runs between two attempts.
    if (earlier !== undefined) all.pop();
    all.push(recorded);
    this.#recorded.set(recorded.run, recorded);
  }
}

/** The loop around a run is the one that ran last at the place outside of it, since nodes run one after the other. */
function findTurn(
  { iteration }: NodeRun,
  root: OpenTurn,
  loops: ReadonlyMap<string, OpenRun>,
): OpenTurn | undefined {
  const index = iteration.at(-1);
  if (index === undefined) return root;
  const loop = loops.get(JSON.stringify(iteration.slice(0, -1)));
  if (loop === undefined) return undefined;
  const known = loop.turns.get(index);
  if (known !== undefined) return known;
  const turn: OpenTurn = { loop, index, runs: new Map() };
  loop.turns.set(index, turn);
  return turn;
}

/** The outputs that an expression could see by node id, and the turn of the innermost loop around it. */
export interface Sight {
  readonly outputs: ReadonlyMap<string, NodeRun>;
  /** undefined outside of loops. */
  readonly turn: Turn | undefined;
  /** What the expression for the items of that loop could see, if it isn't what the records say. */
  readonly ofItems?: Sight;
  /** The run that it's the sight of, or that of the loop at the end of whose turn it is. */
  readonly of: NodeRun | undefined;
}

/** What the expressions of a node's run could see: what had completed by then in its turn and around it. */
export function sightOf({ run, turn, place }: RecordedRun): Sight {
  return lookFrom(turn, place, run);
}

/** What an expression at the end of a turn can see. A loop's result is one. */
export function sightAtEnd(turn: Turn): Sight {
  return lookFrom(turn, Infinity, turn.loop?.run);
}

/** In the order in which the service lists them: what is around the loops comes first. */
function lookFrom(turn: Turn, place: number, of: NodeRun | undefined): Sight {
  const outputs = new Map<string, NodeRun>();
  for (const level of levelsOf(turn, place))
    for (const [nodeId, { run, place: own }] of level.turn.runs)
      if (own < level.place && run.status?.state === 'completed') outputs.set(nodeId, run);
  return { outputs, turn: turn.loop === undefined ? undefined : turn, of };
}

interface Level {
  readonly turn: Turn;
  /** What began before it can be seen: a loop has no output yet for its own body. */
  readonly place: number;
}

/** Outermost first. */
function levelsOf(turn: Turn, place: number): readonly Level[] {
  const { loop } = turn;
  return [...(loop === undefined ? [] : levelsOf(loop.turn, loop.place)), { turn, place }];
}
