// The runs of all queues as OpenWorkflow's worker sees them: as if there were only one queue.
import type { Backend, ClaimWorkflowRunParams, WorkflowRun } from 'openworkflow/internal';
import * as v from 'valibot';
import { steadyNow } from '../../base/time.ts';
import { commonQueue, type Queue, readQueue } from '../store/needs.ts';
import type { EngineBackend } from './engineBackend.ts';
import type { HeldSlot, Slots } from './slots.ts';

/**
 * A list that takes longer, in milliseconds, is followed by a rest of this many times its duration, so that a very large number of queues
 * costs little.
 */
const longListMs = 5;
const restAfterList = 10;
const longestRestMs = 1000;
/** The methods that a worker calls at the end of its work on a run. */
const endings: ReadonlySet<unknown> = new Set<keyof Backend>([
  'completeWorkflowRun',
  'failWorkflowRun',
  'sleepWorkflowRun',
  'rescheduleWorkflowRunAfterFailedStepAttempt',
]);

const OfRun = v.object({ workflowRunId: v.string() });

export interface QueuedRunsOptions {
  readonly backend: EngineBackend;
  readonly slots: Slots;
  /** The highest level of needs that the process knows. */
  readonly level: number;
  /** Whether the process can read all stored secrets now. */
  readonly canReadSecrets: () => Promise<boolean>;
  /** Called when there may be something to claim that the rest kept from being listed; ask again after this many milliseconds. */
  readonly onRest: (milliseconds: number) => void;
}

/** A claimed run; it's claimed again when its lease has expired. */
interface ClaimedRun {
  readonly queue: Queue;
  readonly slot: HeldSlot;
  claims: number;
}

export class QueuedRuns {
  /** For a worker. */
  readonly backend: Backend;
  readonly #options: QueuedRunsOptions;
  /** The queues that may have a run to claim, in the order in which they're asked. */
  #queues: readonly Queue[] = [];
  #hasNews = true;
  /** When the queues may be listed again. */
  #restsUntil = 0;
  /** Whether `onRest` was called for this rest. */
  #isAwaited = false;
  readonly #claimed = new Map<string, ClaimedRun>();
  /** The result of the last claim that is under way. */
  #lastClaim: Promise<WorkflowRun | null> | undefined;
  #claimCalls = 0;

  constructor(options: QueuedRunsOptions) {
    this.#options = options;
    const { backend } = options;
    const claim: Backend['claimWorkflowRun'] = (params) => this.#claimUntilNoneFound(params);
    this.backend = new Proxy(backend.of(commonQueue.name), {
      get: (target, name): unknown => {
        if (name === 'claimWorkflowRun') return claim;
        if (name === 'stop') return () => backend.stop();
        const method: unknown = Reflect.get(target, name);
        return typeof method === 'function' ? (params: unknown) => this.#call(name, params) : method;
      },
    });
  }

  /** There may be something to claim that wasn't there before. */
  note(): void {
    this.#hasNews = true;
  }

  /** How often a worker asked for a run. */
  get claimCalls(): number {
    return this.#claimCalls;
  }

  /** The slot of a claimed run. */
  slotOf(runId: string): HeldSlot {
    const claimed = this.#claimed.get(runId);
    if (!claimed) throw new Error(`The run ${runId} isn't claimed.`);
    return claimed.slot;
  }

  /** Chains concurrent claims, and drops those after the first that finds no run. */
  #claimUntilNoneFound(params: ClaimWorkflowRunParams): Promise<WorkflowRun | null> {
    this.#claimCalls += 1;
    const before = this.#lastClaim;
    const own = before
      ? before.then((found) => (found === null ? null : this.#claim(params)))
      : this.#claim(params);
    this.#lastClaim = own;
    const settle = (): void => {
      if (this.#lastClaim === own) this.#lastClaim = undefined;
    };
    own.then(settle, settle);
    return own;
  }

  async #claim(params: ClaimWorkflowRunParams): Promise<WorkflowRun | null> {
    if (this.#hasNews) await this.#list();
    for (;;) {
      const queue = this.#options.slots.choose(this.#queues);
      if (!queue) return null;
      const run = await this.#claimOf(queue, params);
      if (run) return run;
      this.#queues = this.#queues.filter((other) => other !== queue);
    }
  }

  async #list(): Promise<void> {
    const began = steadyNow();
    if (began < this.#restsUntil) {
      if (!this.#isAwaited) this.#options.onRest(Math.ceil(this.#restsUntil - began) + 1);
      this.#isAwaited = true;
      return;
    }
    this.#hasNews = false;
    this.#isAwaited = false;
    try {
      const { backend, level, canReadSecrets } = this.#options;
      const { names, tookMs } = await backend.listClaimable();
      const known = names.flatMap((name) => readQueue(name) ?? []).filter((queue) => queue.level <= level);
      const canRead = known.some(({ readsSecrets }) => readsSecrets) && (await canReadSecrets());
      this.#queues = known.filter(({ readsSecrets }) => canRead || !readsSecrets);
      this.#restsUntil =
        steadyNow() + (tookMs < longListMs ? 0 : Math.min(tookMs * restAfterList, longestRestMs));
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  async #claimOf(queue: Queue, params: ClaimWorkflowRunParams): Promise<WorkflowRun | null> {
    const { backend, slots, canReadSecrets } = this.#options;
    const runs = backend.of(queue.name);
    const slot = slots.enter(queue.workflow);
    let isKept = false;
    try {
      const run = await runs.claimWorkflowRun(params);
      if (!run) return null;
      const { workerId } = params;
      // The secrets can have changed since the queues were listed, but before this one was created.
      if (queue.readsSecrets && !(await canReadSecrets())) {
        await runs.sleepWorkflowRun({ workflowRunId: run.id, workerId, availableAt: new Date() });
        return null;
      }
      const earlier = this.#claimed.get(run.id);
      if (earlier) earlier.claims += 1;
      else {
        this.#claimed.set(run.id, { queue, slot, claims: 1 });
        isKept = true;
      }
      return run;
    } finally {
      if (!isKept) slot.leave();
    }
  }

  /** Calls a method about a run. */
  async #call(name: string | symbol, params: unknown): Promise<unknown> {
    const { workflowRunId } = v.parse(OfRun, params);
    const claimed = this.#claimed.get(workflowRunId);
    const runs = this.#options.backend.of((claimed?.queue ?? commonQueue).name);
    const method: unknown = Reflect.get(runs, name);
    if (typeof method !== 'function') throw new TypeError(`The engine's storage has no ${String(name)}.`);
    if (endings.has(name)) claimed?.slot.leave();
    let hasFailed = true;
    try {
      const result: unknown = await Reflect.apply(method, runs, [params]);
      hasFailed = false;
      return result;
    } finally {
      // After an end that failed, the worker reads the run once more.
      if (claimed && (endings.has(name) ? !hasFailed : name === 'getWorkflowRun')) {
        claimed.claims -= 1;
        if (claimed.claims === 0) this.#claimed.delete(workflowRunId);
      }
    }
  }
}
