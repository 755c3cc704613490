// How the workflows share a process, so that none of them keeps another from starting, however many of its executions wait for other
// services or compute (contract section 10, "Slots and turns").

export interface SlotLimits {
  /** How many executions compute at once. One that waits for another service or for time gives its slot back meanwhile. */
  readonly computing: number;
  /** How many executions are in flight: computing or waiting. */
  readonly inFlight: number;
}

/** How many executions of a process compute at once unless it's said. */
export const defaultConcurrency = 64;

/** The largest share of either limit that one workflow takes. */
const largestShare = 0.75;

/** The slot of an execution in flight. */
export interface HeldSlot {
  /** Does work that needs no slot, and takes a slot again before it continues; without waiting if the signal is aborted. */
  away<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Gives the slot back for good; later calls do nothing. */
  leave(): void;
}

interface SlotUse {
  computing: number;
  inFlight: number;
}

interface ReturningExecution {
  readonly workflow: string;
  readonly goOn: () => void;
}

/**
 * New executions start while a slot is free, first those of the workflow with the fewest in flight. A workflow that has none in flight may
 * always start one, and one that has none computing may always continue one, beyond the limits. Executions that continue go before those
 * that start.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #onFree: () => void;
  readonly #all: SlotUse = { computing: 0, inFlight: 0 };
  /** Of the workflows that have executions in flight. */
  readonly #uses = new Map<string, SlotUse>();
  /** The executions that have waited and need a slot again, in order. */
  readonly #returning = new Set<ReturningExecution>();
  /** Whether a workflow was refused since a slot was last freed. */
  #hasRefused = false;

  /** `onFree` is called when a workflow that was refused may start. */
  constructor(limits: SlotLimits, onFree: () => void) {
    this.#limits = limits;
    this.#onFree = onFree;
  }

  /** The largest number that can be in flight, including those that start beyond the limit. */
  static most({ computing, inFlight }: SlotLimits): number {
    return computing + inFlight;
  }

  /** Returns the queue that may start next, of queues in the order in which they're asked; undefined when none may. */
  choose<Q extends { readonly workflow: string }>(queues: Iterable<Q>): Q | undefined {
    let chosen: Q | undefined;
    let fewest = Infinity;
    for (const queue of queues) {
      const { inFlight } = this.#useOf(queue.workflow);
      if (inFlight >= fewest) continue;
      if (this.#mayBegin(queue.workflow)) {
        chosen = queue;
        fewest = inFlight;
        if (fewest === 0) break;
      } else this.#hasRefused = true;
    }
    return chosen;
  }

  /** Takes a slot for a workflow that may start. */
  enter(workflow: string): HeldSlot {
    this.#add(workflow, { computing: 1, inFlight: 1 });
    let hasLeft = false;
    let isAway = false;
    return {
      away: async (work, signal) => {
        isAway = true;
        this.#add(workflow, { computing: -1, inFlight: 0 });
        try {
          return await work();
        } finally {
          await this.#return(workflow, signal);
          isAway = false;
        }
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#add(workflow, { computing: isAway ? 0 : -1, inFlight: -1 });
      },
    };
  }

  /** Whether others could start if the workflow had fewer in flight. */
  isCrowded(workflow: string): boolean {
    return (
      this.#all.inFlight >= this.#limits.inFlight || this.#useOf(workflow).inFlight >= this.#share('inFlight')
    );
  }

  #mayBegin(workflow: string): boolean {
    const own = this.#useOf(workflow);
    if (own.inFlight === 0) return this.#all.inFlight < Slots.most(this.#limits);
    return this.#hasRoom('inFlight', own) && this.#hasRoom('computing', own);
  }

  #mayGoOn(workflow: string): boolean {
    const own = this.#useOf(workflow);
    return own.computing === 0 || this.#hasRoom('computing', own);
  }

  #hasRoom(kind: keyof SlotLimits, own: SlotUse): boolean {
    return this.#all[kind] < this.#limits[kind] && own[kind] < this.#share(kind);
  }

  #share(kind: keyof SlotLimits): number {
    return Math.ceil(this.#limits[kind] * largestShare);
  }

  /** Waits for a slot, unless the signal is aborted: an execution that ends needs none. */
  #return(workflow: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.#returning.delete(returning);
        signal.removeEventListener('abort', goOn);
        this.#add(workflow, { computing: 1, inFlight: 0 });
        resolve();
      };
      const returning: ReturningExecution = { workflow, goOn };
      if (signal.aborted || this.#mayGoOn(workflow)) goOn();
      else {
        this.#returning.add(returning);
        signal.addEventListener('abort', goOn);
      }
    });
  }

  #add(workflow: string, { computing, inFlight }: SlotUse): void {
    const own = this.#useOf(workflow);
    for (const use of [own, this.#all]) {
      use.computing += computing;
      use.inFlight += inFlight;
    }
    if (own.inFlight > 0) this.#uses.set(workflow, own);
    else this.#uses.delete(workflow);
    if (computing < 0) this.#letReturn();
    if (computing + inFlight >= 0 || !this.#hasRefused) return;
    this.#hasRefused = false;
    this.#onFree();
  }

  /** Continues an execution of the workflow with the fewest computing, if one may continue. */
  #letReturn(): void {
    let next: ReturningExecution | undefined;
    let fewest = Infinity;
    for (const returning of this.#returning) {
      const { computing } = this.#useOf(returning.workflow);
      if (computing >= fewest || !this.#mayGoOn(returning.workflow)) continue;
      next = returning;
      fewest = computing;
    }
    next?.goOn();
  }

  #useOf(workflow: string): SlotUse {
    return this.#uses.get(workflow) ?? { computing: 0, inFlight: 0 };
  }
}
