// The executions as OpenWorkflow's workers see them: its interface for storage, on the store's table of executions. A run is a lease of an
// execution. It ends in the store, with the execution or when that is handed over, so nothing is left to store at the end of a run.
import type { Backend, WorkflowRun } from 'openworkflow/internal';
import { steadyNow } from '../../base/time.ts';
import type { Admit, ClaimedExecution } from '../store/executionClaims.ts';
import type { RunningAs } from '../store/lockedExecution.ts';
import { type Queue, readQueue } from '../store/needs.ts';
import type { Store } from '../store/store.ts';
import type { Admissions } from './admissions.ts';
import type { HeldSlot, Slots } from './slots.ts';

/** The workflow of all runs. */
export const runsWorkflow = 'execution';
/** How many executions are claimed at once: more would keep them from other processes. */
const mostAtOnce = 4;
/**
 * A longer list of queues is followed by a rest of this many milliseconds for each, which is ten times what it costs, so that a very large
 * number of queues costs little.
 */
const longList = 1500;
const restMsForEach = 0.03;
const longestRestMs = 1000;
/**
 * Leases are renewed together. OpenWorkflow asks for that after 15 s, half of a lease as it knows them; what was renewed less than this share
 * of ours ago isn't renewed again.
 */
const renewalShare = 1 / 14;
/** How long after its failure a claim can still be stored, as the database ends a transaction that takes longer, and how often that is looked for. */
const late = { longestMs: 30_000, everyMs: 1000 } as const;

export interface ExecutionLeasesOptions {
  readonly store: Store;
  readonly slots: Slots;
  readonly admissions: Admissions;
  /** The highest level of needs that the process knows. */
  readonly level: number;
  /** Whether the process can read all stored secrets now. */
  readonly canReadSecrets: () => Promise<boolean>;
  /** Called when there may be something to claim that the rest kept from being listed; ask again after this many milliseconds. */
  readonly onRest: (milliseconds: number) => void;
}

/** An execution that this process has, and the slot that it takes. */
export interface LeasedExecution {
  readonly execution: ClaimedExecution;
  readonly slot: HeldSlot;
}

/** A queue whose next execution may start. */
interface ChosenQueue {
  readonly queue: Queue;
  readonly slot: HeldSlot;
}

export class ExecutionLeases implements Backend {
  readonly #options: ExecutionLeasesOptions;
  readonly #leaseMs: number;
  /** The queues that may have an execution to claim, in the order in which they're asked. */
  #queues: readonly Queue[] = [];
  #hasNews = true;
  /** When the queues may be listed again. */
  #restsUntil = 0;
  /** Whether `onRest` was called for this rest. */
  #isAwaited = false;
  /** By the id of the run. */
  readonly #leased = new Map<string, LeasedExecution>();
  /** The calls of workers that wait for a run. */
  #asking: readonly PromiseWithResolvers<WorkflowRun | null>[] = [];
  #isClaiming = false;
  /** When a claim last failed: it may be stored all the same, also later. */
  #failedAt = -Infinity;
  /** When to look next for executions that it has leased. */
  #releaseAt = Infinity;
  #renewedAt = steadyNow();
  #claimCalls = 0;

  constructor(options: ExecutionLeasesOptions) {
    this.#options = options;
    this.#leaseMs = options.store.executions.claims.leaseMs;
  }

  /** There may be something to claim that wasn't there before. */
  note(): void {
    this.#hasNews = true;
  }

  /** How often a worker asked for a run. */
  get claimCalls(): number {
    return this.#claimCalls;
  }

  /** Throws when the run's lease has ended. */
  get(runId: string): LeasedExecution {
    const leased = this.#leased.get(runId);
    if (!leased) throw new Error(`The run ${runId} has no lease.`);
    return leased;
  }

  /** The calls of one turn of the event loop are answered together. */
  claimWorkflowRun(): Promise<WorkflowRun | null> {
    this.#claimCalls += 1;
    const asking = Promise.withResolvers<WorkflowRun | null>();
    this.#asking = [...this.#asking, asking];
    if (!this.#isClaiming) {
      this.#isClaiming = true;
      queueMicrotask(() => void this.#answerAll());
    }
    return asking.promise;
  }

  async extendWorkflowRunLease({ workflowRunId }: { readonly workflowRunId: string }): Promise<WorkflowRun> {
    const { execution } = this.get(workflowRunId);
    await this.#renew(this.#leaseMs * renewalShare);
    return toRun(execution);
  }

  completeWorkflowRun(params: { readonly workflowRunId: string }): Promise<WorkflowRun> {
    return this.#end(params);
  }

  failWorkflowRun(params: { readonly workflowRunId: string }): Promise<WorkflowRun> {
    return this.#end(params);
  }

  getWorkflowRun({ workflowRunId }: { readonly workflowRunId: string }): Promise<WorkflowRun | null> {
    const leased = this.#leased.get(workflowRunId);
    return Promise.resolve(leased ? toRun(leased.execution) : null);
  }

  /** Nodes aren't steps: what they did is in the store. */
  listStepAttempts(): ReturnType<Backend['listStepAttempts']> {
    return Promise.resolve({ data: [], pagination: { next: null, prev: null } });
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  readonly createWorkflowRun = unused;
  readonly listWorkflowRuns = unused;
  readonly countWorkflowRuns = unused;
  readonly sleepWorkflowRun = unused;
  readonly rescheduleWorkflowRunAfterFailedStepAttempt = unused;
  readonly cancelWorkflowRun = unused;
  readonly createStepAttempt = unused;
  readonly getStepAttempt = unused;
  readonly completeStepAttempt = unused;
  readonly failStepAttempt = unused;
  readonly setStepAttemptChildWorkflowRun = unused;
  readonly sendSignal = unused;
  readonly getSignalDelivery = unused;

  async #end({ workflowRunId }: { readonly workflowRunId: string }): Promise<WorkflowRun> {
    const { execution, slot } = this.get(workflowRunId);
    this.#leased.delete(workflowRunId);
    slot.leave();
    return Promise.resolve(toRun(execution));
  }

  /** Answers all calls; those after the first for which nothing is found get null. */
  async #answerAll(): Promise<void> {
    try {
      for (;;) {
        if (this.#asking.length === 0) return;
        const claimed = await this.#claim(Math.min(this.#asking.length, mostAtOnce));
        const answered = claimed.length > 0 ? this.#asking.slice(0, claimed.length) : this.#asking;
        this.#asking = this.#asking.slice(answered.length);
        for (const [index, { resolve }] of answered.entries()) {
          const leased = claimed[index];
          if (leased) this.#leased.set(idOf(leased.execution), leased);
          resolve(leased ? toRun(leased.execution) : null);
        }
      }
    } catch (error) {
      const refused = this.#asking;
      this.#asking = [];
      for (const { reject } of refused) reject(error);
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claim(most: number): Promise<readonly LeasedExecution[]> {
    // Nobody may take what this process has, not even itself, because the process stood still.
    if (this.#leased.size > 0) await this.#renew(this.#leaseMs / 2);
    if (steadyNow() >= this.#releaseAt) await this.#releaseUnknown();
    if (this.#hasNews) await this.#list();
    for (;;) {
      const chosen = this.#choose(most);
      if (chosen.length === 0) return [];
      const leased = await this.#claimOf(chosen);
      if (leased.length > 0) return leased;
    }
  }

  /** Takes slots for the executions that may start next. */
  #choose(most: number): readonly ChosenQueue[] {
    const { slots } = this.#options;
    const chosen: ChosenQueue[] = [];
    while (chosen.length < most) {
      const queue = slots.choose(this.#queues);
      if (!queue) break;
      chosen.push({ queue, slot: slots.enter(queue.workflow) });
    }
    return chosen;
  }

  async #claimOf(chosen: readonly ChosenQueue[]): Promise<readonly LeasedExecution[]> {
    const { store, admissions, level } = this.#options;
    const { claims } = store.executions;
    const wanted = new Map<string, number>();
    for (const { queue } of chosen) wanted.set(queue.name, (wanted.get(queue.name) ?? 0) + 1);
    const asked = new Map<string, RunningAs | undefined>();
    const admit: Admit = (id, suspicion) => {
      if (!asked.has(id)) asked.set(id, admissions.ask(id, suspicion));
      return asked.get(id);
    };
    const free = new Set(chosen);
    const leased: LeasedExecution[] = [];
    let hasFailed = true;
    try {
      for (const execution of await this.#withReadableSecrets(await claims.claim(wanted, level, admit))) {
        const place = chosen.find((each) => free.has(each) && each.queue.name === execution.queue);
        if (!place) continue;
        free.delete(place);
        leased.push({ execution, slot: place.slot });
      }
      hasFailed = false;
    } finally {
      if (hasFailed) this.#failedAt = this.#releaseAt = steadyNow();
      const ids = new Set(leased.map(({ execution }) => execution.id));
      for (const [id, admission] of asked) {
        if (!ids.has(id)) admissions.leave(id);
        else if (admission) admissions.entered(admission);
      }
      for (const { slot } of free) slot.leave();
      // A queue that had fewer than it was asked for is empty.
      this.#queues = this.#queues.filter((queue) => ![...free].some((each) => each.queue === queue));
    }
    return leased;
  }

  /** Hands those over whose secrets can't be read: the secrets can have changed since the queues were listed. */
  async #withReadableSecrets(claimed: readonly ClaimedExecution[]): Promise<readonly ClaimedExecution[]> {
    const readsSecrets = ({ queue }: ClaimedExecution): boolean => readQueue(queue)?.readsSecrets === true;
    if (!claimed.some(readsSecrets) || (await this.#options.canReadSecrets())) return claimed;
    await Promise.all(claimed.filter(readsSecrets).map((execution) => execution.handOver(0)));
    return claimed.filter((execution) => !readsSecrets(execution));
  }

  /** Called before the queues are listed: executions that a failed claim has leased all the same aren't among them until the lease expires. */
  async #releaseUnknown(): Promise<void> {
    await this.#options.store.executions.claims.releaseOthers(this.#executionIds());
    const now = steadyNow();
    this.#releaseAt = now < this.#failedAt + late.longestMs ? now + late.everyMs : Infinity;
    this.#hasNews = true;
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
      const { store, level, canReadSecrets } = this.#options;
      const { names, total } = await store.executions.claims.listQueues();
      const known = names.flatMap((name) => readQueue(name) ?? []).filter((queue) => queue.level <= level);
      const canRead = known.some(({ readsSecrets }) => readsSecrets) && (await canReadSecrets());
      this.#queues = known.filter(({ readsSecrets }) => canRead || !readsSecrets);
      this.#restsUntil =
        steadyNow() + (total < longList ? 0 : Math.min(total * restMsForEach, longestRestMs));
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  #executionIds(): readonly string[] {
    return Array.from(this.#leased.values(), ({ execution }) => execution.id);
  }

  /** Renews all leases, unless that was done less than this many milliseconds ago. */
  async #renew(milliseconds: number): Promise<void> {
    const now = steadyNow();
    if (now - this.#renewedAt < milliseconds) return;
    const before = this.#renewedAt;
    this.#renewedAt = now;
    try {
      await this.#options.store.executions.claims.renew(this.#executionIds());
    } catch (error) {
      this.#renewedAt = before;
      throw error;
    }
  }
}

function unused(): Promise<never> {
  return Promise.reject(
    new Error("The engine's workers don't do this: executions are made, ended and cancelled in the store."),
  );
}

function idOf({ id, claim }: ClaimedExecution): string {
  return `${id}/${String(claim.claim)}`;
}

function toRun(execution: ClaimedExecution): WorkflowRun {
  const now = new Date();
  return {
    namespaceId: 'default',
    id: idOf(execution),
    workflowName: runsWorkflow,
    version: null,
    status: 'running',
    idempotencyKey: null,
    config: {},
    context: null,
    input: null,
    output: null,
    error: null,
    attempts: 1,
    parentStepAttemptNamespaceId: null,
    parentStepAttemptId: null,
    workerId: null,
    availableAt: null,
    deadlineAt: null,
    startedAt: null,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
