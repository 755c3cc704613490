// The engine on OpenWorkflow with SQLite: runs that are kept, leased to one worker at a time, and taken up again.
import { OpenWorkflow, type Worker } from 'openworkflow';
import { BackendSqlite } from 'openworkflow/sqlite';
import * as v from 'valibot';
import type { Logger } from '../../base/logger.ts';
import { type Now, systemClock, wait } from '../../base/time.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { UnfinishedExecution } from '../store/executions.ts';
import type { Store } from '../store/store.ts';
import type { Engine } from './engine.ts';
import { runExecution } from './execution.ts';
import { HandOver, untilKept } from './waiting.ts';

/** How many executions are worked on at once; most of them wait for an answer or for their time. */
const concurrency = 64;
/** A wait up to this long keeps its place, unless others need one. */
const defaultWaitMs = 5000;
const longestCrowdedWaitMs = 100;
/** How often runs are looked for that nothing announced, such as those of a lease that ran out. */
const roundMs = 1000;
const busyTimeoutMs = 5000;
const lockPollMs = 20;
const sqliteBusy = 5;
/** How long stopping waits for nodes that do not heed the signal. */
const stopTimeoutMs = 3000;
/** A run can be claimed a moment after its time was set. */
const parkingMs = 5;

const RunInput = v.object({ executionId: v.string() });

export interface OpenWorkflowEngineOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  /** The store's own file, or ":memory:". */
  readonly path: string;
  /** HTTP request nodes call public addresses only; default: any. */
  readonly refusesPrivateAddresses?: boolean;
  readonly logger: Logger;
  /** The store's; default: the system's. */
  readonly now?: Now;
  /** A longer wait is handed over to another run; default 5,000 ms. */
  readonly longestWaitMs?: number;
}

/** Opens the data; nothing runs before `begin`. */
export async function createOpenWorkflowEngine(options: OpenWorkflowEngineOptions): Promise<Engine> {
  const backend = await connect(options.path);
  setUp(backend, `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA synchronous = NORMAL`);
  stopClaimingAtNone(backend);
  return new OpenWorkflowEngine(backend, options);
}

/** The backend makes its tables before it can be told to wait for a lock, so the waiting is done here. */
async function connect(path: string): Promise<BackendSqlite> {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return BackendSqlite.connect(path);
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error;
      await wait(systemClock, lockPollMs);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;
}

/** The backend has no way of its own to set up its connection. */
function setUp(backend: BackendSqlite, sql: string): void {
  const connection: unknown = Reflect.get(backend, 'db');
  if (!canExecute(connection)) throw new TypeError('The engine has no connection that can be set up.');
  connection.exec(sql);
}

function canExecute(value: unknown): value is { exec(sql: string): void } {
  return typeof value === 'object' && value !== null && 'exec' in value && typeof value.exec === 'function';
}

/** A worker asks once for each free place; of the questions of one look, those after the first that finds nothing are not asked. */
function stopClaimingAtNone(backend: BackendSqlite): void {
  const claim = backend.claimWorkflowRun.bind(backend);
  let look: ReturnType<typeof claim> | undefined;
  backend.claimWorkflowRun = (params) => {
    const before = look;
    const own = before ? before.then((found) => (found === null ? null : claim(params))) : claim(params);
    look = own;
    const forget = (): void => {
      if (look === own) look = undefined;
    };
    own.then(forget, forget);
    return own;
  };
}

class OpenWorkflowEngine implements Engine {
  readonly #backend: BackendSqlite;
  readonly #options: OpenWorkflowEngineOptions;
  readonly #now: Now;
  readonly #worker: Worker;
  readonly #run: (
    executionId: string,
    idempotencyKey: string,
    availableAt: Date | undefined,
  ) => Promise<{ readonly isOver: boolean }>;
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** What is worked on here, by execution. */
  readonly #working = new Map<string, Promise<void>>();
  /** Accepted, but the engine could not take it yet. */
  readonly #waiting = new Map<string, { readonly next: UnfinishedExecution; readonly wakeAt: number }>();
  #rounds: NodeJS.Timeout | undefined;

  constructor(backend: BackendSqlite, options: OpenWorkflowEngineOptions) {
    this.#backend = backend;
    this.#options = options;
    this.#now = options.now ?? systemClock.now;
    const client = new OpenWorkflow({ backend });
    const workflow = client.defineWorkflow<unknown, null>({ name: 'interpreter' }, async ({ input, run }) => {
      await this.#work(v.parse(RunInput, input).executionId, run.id);
      return null;
    });
    this.#run = async (executionId, idempotencyKey, availableAt) => {
      const options = availableAt ? { idempotencyKey, availableAt } : { idempotencyKey };
      const { workflowRun } = await workflow.run({ executionId }, options);
      return { isOver: isOver(workflowRun.status) };
    };
    this.#worker = client.newWorker({ concurrency });
  }

  async begin(): Promise<void> {
    // Only one service works on a folder, so at its start no lease can belong to anybody.
    setUp(
      this.#backend,
      `UPDATE workflow_runs SET worker_id = NULL, available_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
       WHERE status = 'running' AND worker_id IS NOT NULL`,
    );
    for (const execution of await this.#options.store.executions.listUnfinished())
      await this.#takeUp(execution);
    if (this.#stopping.signal.aborted) return;
    // The worker's own rounds sleep for up to a second and would hold up every stop, so the rounds are made here.
    this.#rounds = setInterval(() => {
      for (const [id, { next, wakeAt }] of this.#waiting) {
        this.#waiting.delete(id);
        void this.#enqueue(next, wakeAt);
      }
      this.#lookForWork();
    }, roundMs);
    this.#lookForWork();
  }

  async start(executionId: string): Promise<void> {
    await this.#enqueue({ id: executionId, runId: null, handovers: 0, hasDefinition: true }, 0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The service stops.', 'AbortError'));
    clearInterval(this.#rounds);
    for (const timer of this.#timers) clearTimeout(timer);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopTimeoutMs);
    });
    await Promise.race([this.#worker.stop(), timeout]);
    clearTimeout(timer);
    await this.#backend.stop();
  }

  /** Sees to it that a run of the engine has an execution that an earlier process left unfinished. */
  async #takeUp(execution: UnfinishedExecution): Promise<void> {
    const { executions } = this.#options.store;
    const { id, runId, hasDefinition } = execution;
    if (!hasDefinition) {
      const message = 'The service ended before the execution could begin.';
      await executions.finish(id, { status: 'failed', error: { code: 'interrupted', message } });
      return;
    }
    if (runId === null) {
      if (!(await this.#enqueue(execution, 0))) return;
    } else {
      const run = await this.#backend.getWorkflowRun({ workflowRunId: runId });
      if (run && !isOver(run.status)) return;
    }
    const next = await executions.handOver(id, null);
    if (next) await this.#enqueue(next, 0);
  }

  /** Gives the execution to a run that begins at the time; true when that run has ended already. */
  async #enqueue(next: UnfinishedExecution, wakeAt: number): Promise<boolean> {
    try {
      const milliseconds = this.#until(wakeAt);
      const availableAt = milliseconds > 0 ? new Date(Date.now() + milliseconds) : undefined;
      const { isOver: hasEnded } = await this.#run(next.id, `${next.id}/${next.handovers}`, availableAt);
      this.#wakeAfter(milliseconds);
      return hasEnded;
    } catch (error) {
      this.#options.logger.error(
        `The engine could not take the execution ${next.id}; it tries again.`,
        error,
      );
      this.#waiting.set(next.id, { next, wakeAt });
      return false;
    }
  }

  /** A run whose lease ran out while the thread was held up comes again: it joins the work that still goes on. */
  #work(executionId: string, runId: string): Promise<void> {
    const known = this.#working.get(executionId);
    if (known) return known;
    const work = this.#carryOut(executionId, runId).finally(() => {
      this.#working.delete(executionId);
      // What waits for a free place need not wait for the next round.
      this.#wakeAfter(parkingMs);
    });
    this.#working.set(executionId, work);
    return work;
  }

  async #carryOut(executionId: string, runId: string): Promise<void> {
    const { store, sandbox, logger, refusesPrivateAddresses = false } = this.#options;
    const { signal } = this.#stopping;
    const wakeAt = await runExecution({
      executionId,
      runId,
      store,
      sandbox,
      logger,
      refusesPrivateAddresses,
      signal,
      now: this.#now,
      waitUntil: (wakeAt) => this.#waitUntil(wakeAt),
    });
    if (wakeAt === undefined) return;
    const handOver = () => store.executions.handOver(executionId, runId);
    const next = signal.aborted ? await handOver() : await untilKept(signal, handOver);
    if (next) await this.#enqueue(next, wakeAt);
  }

  /** How many milliseconds are left; the engine's own times are the system's, whatever the clock. */
  #until(wakeAt: number): number {
    return Math.max(0, wakeAt - this.#now());
  }

  async #waitUntil(wakeAt: number): Promise<void> {
    const milliseconds = this.#until(wakeAt);
    const isCrowded = this.#working.size >= concurrency;
    const longestMs = isCrowded ? longestCrowdedWaitMs : (this.#options.longestWaitMs ?? defaultWaitMs);
    if (milliseconds > longestMs) throw new HandOver(wakeAt);
    if (milliseconds > 0) await wait(systemClock, milliseconds, this.#stopping.signal);
  }

  /** Looks for work after the time, sooner than the next round would. */
  #wakeAfter(milliseconds: number): void {
    if (this.#rounds === undefined || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#lookForWork();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #lookForWork(): void {
    this.#worker
      .tick()
      .catch((error: unknown) => this.#options.logger.error('The engine could not look for work.', error));
  }
}

function isOver(status: string): boolean {
  return status !== 'pending' && status !== 'running' && status !== 'sleeping';
}
