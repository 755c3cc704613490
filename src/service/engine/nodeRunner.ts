// Why: runs one node durably: a step of the engine around it, its node run and its log lines beside it, each exactly once.
import * as v from 'valibot';
import type { JsonValue } from '../../base/json.ts';
import type { WorkflowNode } from '../definition/definition.ts';
import type { NodeOutcome, NodeTurn } from '../store/nodeRuns.ts';
import type { Store } from '../store/store.ts';
import { isJsonList } from '../jsonList.ts';
import { evaluate, renderTemplates } from './expression.ts';
import { NodeError } from './nodeError.ts';
import { NodeFailedError } from './nodeFailedError.ts';
import { behaviours } from './nodes/behaviours.ts';
import { readConfig } from './nodes/nodeBehaviour.ts';
import type { NodeContext } from './nodes/nodeBehaviour.ts';
import { expressionData } from './scope.ts';
import type { Scope } from './scope.ts';

/** The engine's durable steps. What they throw on their own must pass through untouched. */
export interface Steps {
  run(name: string, initialDelayMs: number, work: () => Promise<NodeOutcome>): Promise<unknown>;
  /** Ends this pass; the next one, after the time, goes on here. */
  sleep(name: string, milliseconds: number): Promise<void>;
}

export interface RunnerOptions {
  readonly store: Store;
  readonly executionId: string;
  readonly workflowId: string;
  readonly steps: Steps;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
  /** HTTP requests go to public addresses only. */
  readonly refusesPrivateAddresses: boolean;
  /** Asks for a look at the run after the time. */
  readonly wakeAfter: (milliseconds: number) => void;
}

/** The engine waits no longer than this between two attempts. */
const longestRetryMs = 100_000;

export type RunTurn = (
  item: JsonValue,
  index: number,
) => Promise<{ readonly last: JsonValue; readonly scope: Scope }>;

const DelayConfig = v.object({ milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400_000)) });
const LoopConfig = v.object({ items: v.string(), result: v.optional(v.string()) });
const OutcomeSchema = v.variant('status', [
  v.object({ status: v.literal('completed'), output: v.custom<JsonValue>((value) => value !== undefined) }),
  v.object({ status: v.literal('failed'), error: v.object({ code: v.string(), message: v.string() }) }),
]);

export class NodeRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Runs the node, or takes what it gave when it ran before. */
  async run(node: WorkflowNode, scope: Scope, received: JsonValue): Promise<JsonValue> {
    const turn = this.#turnOf(node, scope);
    const outcome =
      node.type === 'delay'
        ? await this.#delay(node, turn, scope, received)
        : await this.#step(turn, retryDelayOf(node), () => this.#attempt(node, turn, scope, received));
    return outputOf(node, outcome);
  }

  async skip(node: WorkflowNode, scope: Scope, reason: string): Promise<void> {
    await this.#options.store.nodeRuns.skip(this.#turnOf(node, scope), reason);
  }

  /** Runs the body once for each item, one after the other; the output is the list of the turns' results. */
  async runLoop(node: WorkflowNode, scope: Scope, received: JsonValue, runTurn: RunTurn): Promise<JsonValue> {
    const { nodeRuns } = this.#options.store;
    const turn = this.#turnOf(node, scope);
    const start = await nodeRuns.begin(turn, { input: received, canResume: true, maximumAttempts: 1 });
    if (start.kind === 'ended') return outputOf(node, start.outcome);
    const listed = await this.#step(turn, 1, () => this.#list(node, turn, scope));
    if (listed.status === 'failed') {
      await nodeRuns.end(turn, listed);
      return outputOf(node, listed);
    }
    const items = isJsonList(listed.output) ? listed.output : [];
    const outcome = await this.#runTurns(node, turn, items, runTurn);
    await nodeRuns.end(turn, outcome);
    return outputOf(node, outcome);
  }

  async #runTurns(
    node: WorkflowNode,
    turn: NodeTurn,
    items: readonly JsonValue[],
    runTurn: RunTurn,
  ): Promise<NodeOutcome> {
    const results: JsonValue[] = [];
    try {
      for (const [index, item] of items.entries()) {
        const { last, scope } = await runTurn(item, index);
        const result = node.config['result'];
        results.push(typeof result === 'string' ? await evaluate(result, expressionData(scope)) : last);
      }
    } catch (error) {
      if (!(error instanceof NodeFailedError) && !(error instanceof NodeError)) throw error;
      const where = `turn ${results.length + 1} of ${items.length}`;
      const failure = { code: 'turn_failed', message: `Failed in ${where}: ${error.message}` };
      await this.#options.store.nodeRuns.end(turn, { status: 'failed', error: failure });
      throw error instanceof NodeFailedError ? error : new NodeFailedError(node.id, failure.message);
    }
    return { status: 'completed', output: results };
  }

  async #list(node: WorkflowNode, turn: NodeTurn, scope: Scope): Promise<NodeOutcome> {
    const { store } = this.#options;
    await store.executions.setStatus(turn.executionId, 'running');
    return this.#settle(async () => {
      const value = await evaluate(readConfig(LoopConfig, node.config).items, expressionData(scope));
      // JSONata gives a single item in place of a list of one, and nothing in place of an empty list.
      const items = isJsonList(value) ? value : value === null ? [] : [value];
      await store.nodeRuns.say(
        turn,
        'info',
        `Goes through ${items.length} ${items.length === 1 ? 'item' : 'items'}.`,
      );
      return items;
    });
  }

  async #delay(node: WorkflowNode, turn: NodeTurn, scope: Scope, received: JsonValue): Promise<NodeOutcome> {
    const { store, steps, wakeAfter } = this.#options;
    const start = await store.nodeRuns.begin(turn, { input: received, canResume: true, maximumAttempts: 1 });
    if (start.kind === 'ended') return start.outcome;
    const wanted = await this.#settle(async () => {
      const config = readConfig(DelayConfig, await renderTemplates(node.config, expressionData(scope)));
      return config.milliseconds;
    });
    if (wanted.status === 'failed') {
      await store.nodeRuns.end(turn, wanted);
      return wanted;
    }
    const milliseconds = Number(wanted.output);
    await store.executions.setStatus(turn.executionId, 'waiting');
    await store.nodeRuns.wait(turn, `Waits for ${milliseconds} ms.`);
    wakeAfter(milliseconds);
    await steps.sleep(stepName(turn), milliseconds);
    await store.executions.setStatus(turn.executionId, 'running');
    const outcome: NodeOutcome = { status: 'completed', output: { waitedMs: milliseconds } };
    await store.nodeRuns.end(turn, outcome);
    return outcome;
  }

  /** One attempt. Throws only to be called again: when the node is to be retried, or the service stops. */
  async #attempt(
    node: WorkflowNode,
    turn: NodeTurn,
    scope: Scope,
    received: JsonValue,
  ): Promise<NodeOutcome> {
    const { store, signal, wakeAfter } = this.#options;
    signal.throwIfAborted();
    await store.executions.setStatus(turn.executionId, 'running');
    const { maximumAttempts, initialDelayMs } = node.retry;
    const start = await store.nodeRuns.begin(turn, { input: received, canResume: false, maximumAttempts });
    if (start.kind === 'ended') return start.outcome;
    const outcome = await this.#settle(() => this.#behave(node, turn, scope));
    await store.nodeRuns.end(turn, outcome);
    if (outcome.status === 'completed' || start.failures + 1 >= maximumAttempts) return outcome;
    await store.executions.setStatus(turn.executionId, 'waiting');
    wakeAfter(Math.min(initialDelayMs * 2 ** start.failures, longestRetryMs));
    throw new NodeError(outcome.error.code, outcome.error.message);
  }

  #behave(node: WorkflowNode, turn: NodeTurn, scope: Scope): Promise<JsonValue> {
    const { type } = node;
    if (type === 'delay' || type === 'forEach')
      return Promise.reject(new TypeError(`A ${type} node is not run as one step.`));
    const { store, signal, workflowId, refusesPrivateAddresses } = this.#options;
    const context: NodeContext = {
      config: node.config,
      data: expressionData(scope),
      input: scope.input,
      signal,
      refusesPrivateAddresses,
      say: (level, message) => store.nodeRuns.say(turn, level, message),
      publish: (eventType, data) =>
        store.portalEvents.append({
          type: eventType,
          data: { ...data, workflowId, executionId: turn.executionId },
          sourceId: `node:${turn.executionId}:${stepName(turn)}`,
        }),
    };
    return behaviours[type](context);
  }

  /** Turns a failure of the node into an outcome. A fault of the service fails the node as well; stopping does not. */
  async #settle(work: () => Promise<JsonValue>): Promise<NodeOutcome> {
    try {
      return { status: 'completed', output: await work() };
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof NodeError)
        return { status: 'failed', error: { code: error.code, message: error.message } };
      const message = error instanceof Error ? error.message : String(error);
      return { status: 'failed', error: { code: 'node_crashed', message: `The node crashed: ${message}` } };
    }
  }

  async #step(
    turn: NodeTurn,
    initialDelayMs: number,
    work: () => Promise<NodeOutcome>,
  ): Promise<NodeOutcome> {
    return v.parse(OutcomeSchema, await this.#options.steps.run(stepName(turn), initialDelayMs, work));
  }

  #turnOf(node: WorkflowNode, scope: Scope): NodeTurn {
    return {
      executionId: this.#options.executionId,
      nodeId: node.id,
      nodeName: node.name,
      nodeType: node.type,
      iteration: scope.iteration,
    };
  }
}

function stepName(turn: NodeTurn): string {
  return `node:${turn.nodeId}#${JSON.stringify(turn.iteration)}`;
}

function outputOf(node: WorkflowNode, outcome: NodeOutcome): JsonValue {
  if (outcome.status === 'failed') throw new NodeFailedError(node.id, outcome.error.message);
  return outcome.output;
}

/** A node that is not retried runs again only after the service has stopped, and then at once. */
function retryDelayOf({ retry }: WorkflowNode): number {
  return retry.maximumAttempts > 1 ? retry.initialDelayMs : 1;
}
