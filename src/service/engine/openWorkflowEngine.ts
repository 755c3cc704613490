// Why: the engine on OpenWorkflow with SQLite: durable steps, leases, replay.
import { OpenWorkflow } from 'openworkflow';
import type { Worker } from 'openworkflow';
import type { WorkflowRun } from 'openworkflow/internal';
import { BackendSqlite } from 'openworkflow/sqlite';
import * as v from 'valibot';
import { delay } from '../../base/cancellation.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { UnfinishedExecution } from '../store/executions.ts';
import type { Store } from '../store/store.ts';
import type { Engine, EngineRun, EngineStart } from './engine.ts';
import { interpret } from './interpreter.ts';
import { NodeFailedError } from './nodeFailedError.ts';
import { NodeRunner } from './nodeRunner.ts';
import type { Steps } from './nodeRunner.ts';

const concurrency = 8;
/** How often runs are looked for that nothing announced, such as those of a lease that ran out. */
const roundMs = 1000;
const busyTimeoutMs = 5000;
const lockPollMs = 20;
const sqliteBusy = 5;
/** How long stopping waits for nodes that do not heed the signal. */
const stopTimeoutMs = 3000;
/** A run is parked a moment after its time was set. */
const parkingMs = 5;
/** What the engine throws to end one pass; none of them is the end of the execution. */
const passEnds = new Set(['SleepSignalError', 'StaleExecutionBranchError', 'StepError']);

const jsonObject = v.custom<JsonObject>((value) => typeof value === 'object' && value !== null);
const RunInput = v.object({
  executionId: v.string(),
  workflowId: v.string(),
  definition: v.object({ nodes: v.array(jsonObject), edges: v.array(jsonObject), settings: jsonObject }),
  input: jsonObject,
});

export interface OpenWorkflowEngineOptions {
  readonly store: Store;
  /** The store's own file, or ":memory:". */
  readonly path: string;
  /** HTTP request nodes call public addresses only; default: any. */
  readonly refusesPrivateAddresses?: boolean;
  readonly logger: Logger;
}

/** Opens the data, and writes nothing to them that is there already; nothing runs before `begin`. */
export async function createOpenWorkflowEngine(options: OpenWorkflowEngineOptions): Promise<Engine> {
  const backend = await connect(options.path);
  const connection = connectionOf(backend);
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  connection.exec('PRAGMA synchronous = NORMAL');
  // Read before anybody can ask for more: what is accepted from now on is none of an earlier process's.
  const leftBehind = await options.store.executions.listUnfinished();
  return new OpenWorkflowEngine(backend, connection, leftBehind, options);
}

/** The backend makes its tables before it can be told to wait for a lock, so the waiting is done here. */
async function connect(path: string): Promise<BackendSqlite> {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return BackendSqlite.connect(path);
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error;
      await delay(lockPollMs);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;
}

interface Connection {
  exec(sql: string): void;
}

/** The backend's own, to set what it leaves at its default. */
function connectionOf(backend: BackendSqlite): Connection {
  const connection: unknown = Reflect.get(backend, 'db');
  if (!canExecute(connection)) throw new TypeError('The engine has no connection that can be set up.');
  return connection;
}

function canExecute(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'exec' in value && typeof value.exec === 'function';
}

class OpenWorkflowEngine implements Engine {
  readonly #backend: BackendSqlite;
  readonly #connection: Connection;
  readonly #leftBehind: readonly UnfinishedExecution[];
  readonly #run: (input: EngineStart) => Promise<string>;
  readonly #options: OpenWorkflowEngineOptions;
  readonly #worker: Worker;
  readonly #stopping = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #rounds: NodeJS.Timeout | undefined;

  constructor(
    backend: BackendSqlite,
    connection: Connection,
    leftBehind: readonly UnfinishedExecution[],
    options: OpenWorkflowEngineOptions,
  ) {
    this.#backend = backend;
    this.#connection = connection;
    this.#leftBehind = leftBehind;
    this.#options = options;
    const client = new OpenWorkflow({ backend });
    const workflow = client.defineWorkflow<unknown, null>({ name: 'interpreter' }, ({ input, step }) =>
      this.#execute(v.parse(RunInput, input), {
        run: (name, initialDelayMs, work) =>
          // The node run counts the attempts, so the engine is never the one to give up.
          step.run(
            { name, retryPolicy: { initialInterval: `${initialDelayMs}ms`, maximumAttempts: 0 } },
            work,
          ),
        sleep: (name, milliseconds) => step.sleep(name, `${milliseconds}ms`),
      }),
    );
    this.#run = async (input) => (await workflow.run(input)).workflowRun.id;
    this.#worker = client.newWorker({ concurrency });
  }

  async begin(): Promise<void> {
    const { executions } = this.#options.store;
    // Only one service works on a folder, so at the start no lease can belong to anybody.
    this.#connection.exec(
      `UPDATE workflow_runs SET worker_id = NULL, available_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
       WHERE status = 'running' AND worker_id IS NOT NULL`,
    );
    for (const { id, runId } of this.#leftBehind) {
      const run = runId === null ? undefined : await this.get(runId);
      if (run?.status === 'pending' || run?.status === 'running') continue;
      const message = run?.error ?? 'The service ended before the execution could begin.';
      await executions.finish(id, { status: 'failed', error: { code: 'interrupted', message } });
    }
    if (this.#stopping.signal.aborted) return;
    // The worker's own rounds sleep for up to a second and would hold up every stop, so the rounds are made here.
    this.#rounds = setInterval(() => {
      this.#lookForWork();
    }, roundMs);
    this.#lookForWork();
  }

  async start(run: EngineStart): Promise<string> {
    const runId = await this.#run(run);
    this.#wakeAfter(0);
    return runId;
  }

  async get(runId: string): Promise<EngineRun | undefined> {
    const run = await this.#backend.getWorkflowRun({ workflowRunId: runId });
    return run ? toEngineRun(run) : undefined;
  }

  async list(): Promise<readonly EngineRun[]> {
    const page = await this.#backend.listWorkflowRuns({ limit: 100 });
    return page.data.map(toEngineRun);
  }

  async steps(runId: string): ReturnType<Engine['steps']> {
    const page = await this.#backend.listStepAttempts({ workflowRunId: runId, limit: 1000 });
    return page.data.map(({ stepName, status }) => ({
      name: stepName,
      status: status === 'succeeded' ? 'completed' : status,
    }));
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

  /** One pass over an execution; finished steps are taken from where they are kept. */
  async #execute(run: v.InferOutput<typeof RunInput>, steps: Steps): Promise<null> {
    const { store } = this.#options;
    const signal = this.#stopping.signal;
    const { executionId, workflowId } = run;
    const runner = new NodeRunner({
      store,
      executionId,
      workflowId,
      steps,
      signal,
      refusesPrivateAddresses: this.#options.refusesPrivateAddresses ?? false,
      wakeAfter: (milliseconds) => {
        this.#wakeAfter(milliseconds + parkingMs);
      },
    });
    try {
      const output = await interpret(run.definition, run.input, runner);
      await store.executions.finish(executionId, { status: 'completed', output });
      return null;
    } catch (error) {
      if (!(error instanceof Error) || passEnds.has(error.name) || signal.aborted) throw error;
      const isNode = error instanceof NodeFailedError;
      await store.executions.finish(executionId, {
        status: 'failed',
        error: isNode
          ? { code: 'node_failed', message: error.message, nodeId: error.nodeId }
          : { code: 'execution_failed', message: error.message },
      });
      throw error;
    } finally {
      // What waits for a free place need not wait for the next round.
      this.#wakeAfter(parkingMs);
    }
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
    this.#worker.tick().catch((error: unknown) => {
      this.#options.logger.error('The engine could not look for work.', error);
    });
  }
}

function toEngineRun(run: WorkflowRun): EngineRun {
  const status = statuses[run.status];
  return { id: run.id, status, error: run.error === null ? null : run.error.message };
}

const statuses = {
  pending: 'pending',
  running: 'running',
  sleeping: 'running',
  succeeded: 'completed',
  completed: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
} as const satisfies Record<WorkflowRun['status'], EngineRun['status']>;
