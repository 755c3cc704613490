// Runs nodes durably: a node run and its log rows are stored exactly once, before the next node starts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { Logger } from '../../base/logger.ts';
import type { Now } from '../../base/time.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type {
  BeginOptions,
  EndOptions,
  NodeLine,
  NodeOutcome,
  NodeRunStart,
  NodeTurn,
} from '../store/nodeRuns.ts';
import type { ExecutionStatus } from '../../domain/status.ts';
import { LostClaimError, type Store, type Work } from '../store/store.ts';
import { type RunTurn, runTurns, type Scope, TurnFailedError } from './loop.ts';
import type { EngineWatch } from './engineWatch.ts';
import { HandOver, messageOf, NodeError, NodeFailedError } from './errors.ts';
import { behaviours } from './nodes/behaviours.ts';
import { type NodeContext, readConfig } from './nodes/nodeBehaviour.ts';
import { ScopeValue } from '../sandbox/messages.ts';
import { untilKept } from '../store/storageError.ts';

/** An engine run that has an execution. */
export interface ExecutionRun {
  readonly executionId: string;
  /** The id of the engine's run. */
  readonly runId: string;
  readonly store: Store;
  readonly sandbox: Sandbox;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly logger: Logger;
  readonly watch?: EngineWatch | undefined;
  readonly now: Now;
  /** Resolves at `wakeAt`, in epoch milliseconds, or rejects with a HandOver. */
  readonly waitUntil: (wakeAt: number) => Promise<void>;
  /** Aborted when no node may begin any more. */
  readonly draining: AbortSignal;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/** The longest pause between two attempts. */
const longestRetryMs = 100_000;
/** After this time, other work on the thread gets its turn. */
const longestTurnMs = 10;

const DelayConfig = v.object({ milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400_000)) });

/** What an attempt says with its end. */
interface Last {
  line?: NodeLine;
}

export class NodeRunner {
  readonly #run: ExecutionRun;
  readonly #workflowId: string;
  readonly #claim: number;
  #status: ExecutionStatus;
  /** True when the process has died during the execution since a node run last ended. */
  #hasDied: boolean;
  #turnBegan = performance.now();

  constructor(run: ExecutionRun, { workflowId, status, deaths, claim }: Work) {
    this.#run = run;
    this.#workflowId = workflowId;
    this.#claim = claim;
    this.#status = status;
    this.#hasDied = deaths > 0;
  }

  /** Shows the execution's status, unless it's shown already. */
  async setStatus(status: 'running' | 'waiting'): Promise<void> {
    if (this.#status === status) return;
    const claim = { executionId: this.#run.executionId, claim: this.#claim };
    await this.#keep((store) => store.executions.setStatus(claim, status));
    this.#status = status;
  }

  /** Runs the node, or returns the stored output of an earlier run. */
  async run(node: WorkflowNode, scope: Scope, received: ScopeValue): Promise<ScopeValue> {
    const turn = this.#turnOf(node, scope);
    const outcome =
      node.type === 'delay'
        ? await this.#delay(node, turn, scope, received)
        : await this.#attempts(node, turn, scope, received);
    return outputOf(node, outcome);
  }

  async skip(node: WorkflowNode, scope: Scope, reason: string): Promise<void> {
    await this.#takeTurn();
    await this.#keep((store) => store.nodeRuns.skip(this.#turnOf(node, scope), reason));
  }

  /** Runs the body for each item in sequence; the output is the list of the turns' results. */
  async runLoop(
    node: WorkflowNode,
    scope: Scope,
    received: ScopeValue,
    runTurn: RunTurn,
  ): Promise<ScopeValue> {
    const turn = this.#turnOf(node, scope);
    const start = await this.#resume(turn, received);
    if (start.kind === 'ended') return outputOf(node, start.outcome);
    await this.setStatus('running');
    const { sandbox, store, signal } = this.#run;
    const outcome = await this.#settle(() =>
      runTurns({
        node,
        turn,
        scope,
        runTurn,
        sandbox,
        signal,
        nodeRuns: store.nodeRuns,
        items: start.items,
        keep: (work) => untilKept(signal, work),
      }),
    ).catch(async (error: unknown) => {
      if (!(error instanceof TurnFailedError)) throw error;
      const failure = { code: 'turn_failed', message: error.message };
      await this.#end(turn, { status: 'failed', error: failure });
      throw error.failure ?? new NodeFailedError(node.id, failure.message);
    });
    return outputOf(node, await this.#end(turn, outcome));
  }

  async #delay(node: WorkflowNode, turn: NodeTurn, scope: Scope, received: ScopeValue): Promise<NodeOutcome> {
    const start = await this.#resume(turn, received);
    if (start.kind === 'ended') return start.outcome;
    const wanted = start.wakeAt === null ? await this.#settle(() => this.#delayOf(node, scope)) : undefined;
    if (wanted?.status === 'failed') return this.#end(turn, wanted);
    const wakeAt = start.wakeAt ?? start.startedAt + Number(wanted?.output);
    const waitedMs = wakeAt - start.startedAt;
    await this.#wait(wakeAt, (store) => store.nodeRuns.wait(turn, `Waiting ${waitedMs} ms`, wakeAt));
    await this.setStatus('running');
    return this.#end(turn, { status: 'completed', output: JSON.stringify({ waitedMs }) });
  }

  /** Returns whole milliseconds as JSON. */
  async #delayOf(node: WorkflowNode, scope: Scope): Promise<string> {
    const { sandbox, signal } = this.#run;
    const { milliseconds } = readConfig(DelayConfig, await sandbox.render(node.config, scope, signal));
    return String(Math.ceil(milliseconds));
  }

  /** Runs attempts until one succeeds or none is left. */
  async #attempts(
    node: WorkflowNode,
    turn: NodeTurn,
    scope: Scope,
    received: ScopeValue,
  ): Promise<NodeOutcome> {
    const { maximumAttempts, initialDelayMs } = node.retry;
    for (;;) {
      const start = await this.#begin(turn, { input: received.text, canResume: false, maximumAttempts });
      if (start.kind === 'ended') return start.outcome;
      if (start.kind === 'early') {
        await this.#wait(start.wakeAt);
        continue;
      }
      await this.setStatus('running');
      const last: Last = {};
      const outcome = await this.#settle(() => this.#behave(node, turn, scope, last));
      const mayRetry = outcome.status === 'failed' && start.failures + 1 < maximumAttempts;
      const pause = Math.min(initialDelayMs * 2 ** start.failures, longestRetryMs);
      const retryAt = mayRetry ? this.#run.now() + pause : undefined;
      const kept = await this.#end(turn, outcome, { retryAt, line: last.line });
      if (!mayRetry) return kept;
    }
  }

  #behave(node: WorkflowNode, turn: NodeTurn, scope: Scope, last: Last): Promise<string> {
    const { type } = node;
    if (type === 'delay' || type === 'forEach')
      return Promise.reject(new TypeError(`A ${type} node is not run as one step.`));
    const { sandbox, signal, refusesPrivateAddresses } = this.#run;
    const context: NodeContext = {
      config: node.config,
      scope,
      sandbox,
      signal,
      refusesPrivateAddresses,
      say: (level, message) => this.#keep((store) => store.nodeRuns.say(turn, level, message)),
      conclude: (level, message) => {
        last.line = { level, message };
      },
      publish: (eventType, data) =>
        this.#keep((store) =>
          store.portalEvents.append({
            type: eventType,
            data: { ...data, workflowId: this.#workflowId, executionId: turn.executionId },
            sourceId: `node:${turn.executionId}:${turn.nodeId}#${JSON.stringify(turn.iteration)}`,
          }),
        ),
    };
    return behaviours[type](context);
  }

  /** Converts a failure to an outcome. An error of the service fails the node as well; stopping doesn't. */
  async #settle(work: () => Promise<string>): Promise<NodeOutcome> {
    try {
      return { status: 'completed', output: await work() };
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (error instanceof HandOver || error instanceof LostClaimError || error instanceof TurnFailedError)
        throw error;
      if (error instanceof NodeError) return failure(error.code, error.message);
      return failure('node_crashed', `The node crashed: ${messageOf(error)}`);
    }
  }

  async #begin(turn: NodeTurn, options: Omit<BeginOptions, 'now'>): Promise<NodeRunStart> {
    this.#run.signal.throwIfAborted();
    if (this.#run.draining.aborted) throw new HandOver(this.#run.now());
    await this.#takeTurn();
    const start = await this.#keep((store) =>
      store.nodeRuns.begin(turn, { ...options, now: this.#run.now() }),
    );
    this.#run.watch?.onNodeBegin(turn, start);
    return start;
  }

  /** Starts or resumes a node that has a single attempt. */
  async #resume(turn: NodeTurn, received: ScopeValue): Promise<Exclude<NodeRunStart, { kind: 'early' }>> {
    const start = await this.#begin(turn, { input: received.text, canResume: true, maximumAttempts: 1 });
    if (start.kind === 'early') throw new Error('A node with one attempt waits for no other.');
    return start;
  }

  /** Ends the attempt. An outcome that can't be stored fails the node without a retry, as its effects must not be repeated. */
  async #end(turn: NodeTurn, outcome: NodeOutcome, options?: EndOptions): Promise<NodeOutcome> {
    let kept = outcome;
    try {
      await this.#keep((store) => store.nodeRuns.end(turn, outcome, options));
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (error instanceof LostClaimError) throw error;
      kept = failure('result_not_kept', `The result can't be kept: ${messageOf(error)}`);
      await this.#keep((store) => store.nodeRuns.end(turn, kept));
    }
    this.#run.watch?.onNodeEnd(turn, kept);
    if (this.#hasDied) await this.#keep((store) => store.executions.noteProgress(turn.executionId));
    this.#hasDied = false;
    return kept;
  }

  /** Shows the execution as waiting until `wakeAt`, in epoch milliseconds; `note` stores the wait. */
  async #wait(wakeAt: number, note?: (store: Store) => Promise<void>): Promise<void> {
    await this.setStatus('waiting');
    if (note) await this.#keep(note);
    await this.#run.waitUntil(wakeAt);
  }

  #keep<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return untilKept(this.#run.signal, () => work(this.#run.store));
  }

  /** Yields the thread regularly, also during a sequence of nodes that never wait. */
  async #takeTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < longestTurnMs) return;
    await nextTurn();
    this.#turnBegan = performance.now();
  }

  #turnOf(node: WorkflowNode, scope: Scope): NodeTurn {
    return {
      executionId: this.#run.executionId,
      claim: this.#claim,
      nodeId: node.id,
      nodeName: node.name,
      nodeType: node.type,
      iteration: scope.iteration,
    };
  }
}

function outputOf(node: WorkflowNode, outcome: NodeOutcome): ScopeValue {
  if (outcome.status === 'failed') throw new NodeFailedError(node.id, outcome.error.message);
  return new ScopeValue(outcome.output);
}

function failure(code: string, message: string): NodeOutcome & { status: 'failed' } {
  return { status: 'failed', error: { code, message } };
}
