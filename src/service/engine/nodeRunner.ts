// Runs nodes durably: a node run and its log rows are stored exactly once, before the next node starts.
import * as v from 'valibot';
import { stringifyJson } from '../../base/json.ts';
import { messageOf } from '../../base/reason.ts';
import { Slices } from '../../base/slices.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { HttpAnswer } from '../../protocol/httpAnswers.ts';
import type { BeginOptions, ExecutionWriter, NodeRunStart } from '../store/executionWriter.ts';
import { LostClaimError } from '../store/lockedExecution.ts';
import type { ExecutionUse } from '../store/nodeLogs.ts';
import type { Expressions } from '../sandbox/ownerExpressions.ts';
import type { NodeFailure, NodeOutcome, NodeRunRef, OpenNodeRun } from '../store/nodeRuns.ts';
import type { ExecutionStatus } from '../../domain/status.ts';
import type { ExecutionWork } from '../store/executionRows.ts';
import type { Reuse, ReuseDecision } from './reuse.ts';
import {
  continueLoop,
  IterationFailedError,
  readItems,
  type RunIteration,
  runIterations,
  type Scope,
} from './loop.ts';
import type { ExecutionRun } from './executionRun.ts';
import { checkBytes, limitMet } from './limits.ts';
import { HandOver, NodeFailedError } from './errors.ts';
import { behave, type ClosingRecord } from './behave.ts';
import { type NodeOutput, readConfig } from './nodes/nodeBehaviour.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import { retryUntilStored } from '../store/storageError.ts';
import type { RunWriter } from './runWriter.ts';
import { NodeError } from '../errors.ts';
import type { Masking } from '../secrets/masking.ts';
import type { Rounding } from '../sandbox/messages.ts';

/** The longest pause between two attempts. */
const longestRetryMs = 100_000;

const DelayConfig = v.object({ milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400_000)) });

export class NodeRunner {
  readonly #run: ExecutionRun;
  readonly #workflowId: string;
  readonly #sandbox: Expressions;
  readonly #writer: RunWriter;
  readonly #reuse: Reuse | undefined;
  /** Whether no earlier run has started a node. */
  readonly #isNew: boolean;
  /** Yield the thread regularly, also during a sequence of nodes that never wait. */
  readonly #slices: Slices;
  #status: ExecutionStatus;
  #reportsMaskedInput: boolean;

  constructor(
    run: ExecutionRun,
    { workflowId, status, queuedSince, isInputMasked }: ExecutionWork,
    writer: RunWriter,
    reuse: Reuse | undefined,
  ) {
    this.#run = run;
    this.#workflowId = workflowId;
    this.#sandbox = run.sandbox.of(workflowId);
    this.#writer = writer;
    this.#reuse = reuse;
    this.#slices = new Slices(run.signal);
    this.#isNew = queuedSince !== null;
    this.#status = status;
    this.#reportsMaskedInput = this.#isNew && isInputMasked;
  }

  /** Runs the node, or returns the output of an earlier run or of a pin. */
  async run(node: WorkflowNode, scope: Scope, received: ScopeValue): Promise<ScopeValue> {
    const ref = this.#refOf(node, scope);
    const decision = await this.#decide(node, scope);
    if (decision?.kind === 'reused') return this.#storeReused(node, ref, decision, received);
    const outcome =
      node.type === 'delay'
        ? await this.#delay(node, ref, scope, received)
        : await this.#attempts(node, ref, scope, received);
    return outputOf(node, outcome);
  }

  async skip(node: WorkflowNode, scope: Scope, reason: string): Promise<void> {
    if (this.#slices.isOver) await this.#slices.next();
    const ref = this.#refOf(node, scope);
    await this.#writer.write((execution) => execution.skip(ref, reason, this.#isNew));
  }

  /** Runs the body for each item in sequence; the output is the list of the iterations' results. */
  async runLoop(
    node: WorkflowNode,
    scope: Scope,
    received: ScopeValue,
    runIteration: RunIteration,
  ): Promise<ScopeValue> {
    const ref = this.#refOf(node, scope);
    const decision = await this.#decide(node, scope);
    if (decision?.kind === 'reused') return this.#storeReused(node, ref, decision, received);
    const start = await this.#resume(ref, received);
    if (start.kind === 'ended') return outputOf(node, start.outcome);
    await this.#showRunning();
    const recorded = start.items === null && decision?.kind === 'continued' ? decision.loop : undefined;
    const stored = start.items ?? recorded?.items;
    const items = stored === undefined ? undefined : readItems(stored);
    if (recorded && items) await continueLoop(this.#writer, start.run, recorded, items);
    const { secrets, store, signal, limits } = this.#run;
    const writer = this.#writer;
    const outcome = await this.#settle(start, (sandbox) =>
      runIterations({
        node,
        run: start.run,
        scope,
        runIteration,
        sandbox,
        masking: secrets.masking,
        signal,
        writer,
        nodeRuns: store.nodeRuns,
        items,
        use: start.use,
        limits,
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof IterationFailedError)) throw error;
      const failure = { code: 'turn_failed', message: error.message };
      writer.end(start.run, { status: 'failed', error: failure });
      throw new NodeFailedError(node.id, failure, error.failure);
    });
    writer.end(start.run, outcome);
    return outputOf(node, outcome);
  }

  async #decide(node: WorkflowNode, { iteration }: Scope): Promise<ReuseDecision | undefined> {
    const reuse = this.#reuse;
    return reuse && retryUntilStored(this.#run.signal, () => reuse.of(node, iteration));
  }

  async #answerTo({ id }: WorkflowNode): Promise<HttpAnswer | undefined> {
    const reuse = this.#reuse;
    return reuse && retryUntilStored(this.#run.signal, () => reuse.answers.take(id));
  }

  /** Stores and returns the outcome of a node that doesn't run. */
  async #storeReused(
    node: WorkflowNode,
    ref: NodeRunRef,
    { outcome, origin }: Extract<ReuseDecision, { kind: 'reused' }>,
    received: ScopeValue,
  ): Promise<ScopeValue> {
    if (this.#slices.isOver) await this.#slices.next();
    const reused = { input: received.text, outcome, origin };
    this.#run.signal.throwIfAborted();
    await this.#writer.write((execution) => execution.reuse(ref, reused, this.#isNew));
    return outputOf(node, outcome);
  }

  async #delay(
    node: WorkflowNode,
    ref: NodeRunRef,
    scope: Scope,
    received: ScopeValue,
  ): Promise<NodeOutcome> {
    const start = await this.#resume(ref, received);
    if (start.kind === 'ended') return start.outcome;
    const wanted =
      start.wakeAt === null
        ? await this.#settle(start, (sandbox) => this.#delayOf(node, scope, sandbox))
        : undefined;
    if (wanted?.status === 'failed') {
      this.#writer.end(start.run, wanted);
      return wanted;
    }
    const startedAt = Date.parse(start.run.startedAt);
    const wakeAt = start.wakeAt ?? startedAt + Number(wanted?.output);
    const waitedMs = wakeAt - startedAt;
    await this.#wait(wakeAt, (execution) => execution.wait(start.run, `Waiting ${waitedMs} ms.`, wakeAt));
    await this.#showRunning();
    const outcome = { status: 'completed', output: stringifyJson({ waitedMs }) } as const;
    this.#writer.end(start.run, outcome);
    return outcome;
  }

  /** Returns whole milliseconds. */
  async #delayOf(node: WorkflowNode, scope: Scope, sandbox: Expressions): Promise<NodeOutput> {
    const { value } = await sandbox.render(node.config, scope, this.#run.signal);
    const { milliseconds } = readConfig(DelayConfig, value);
    return { text: String(Math.ceil(milliseconds)), isMasked: true };
  }

  /** Runs attempts until one succeeds or none is left. */
  async #attempts(
    node: WorkflowNode,
    ref: NodeRunRef,
    scope: Scope,
    received: ScopeValue,
  ): Promise<NodeOutcome> {
    const { maximumAttempts, initialDelayMs } = node.retry;
    for (let isNew = this.#isNew; ; isNew = false) {
      const options = { input: received.text, canResume: false, isNew, maximumAttempts };
      const start = await this.#begin(ref, options);
      if (start.kind === 'ended') return start.outcome;
      if (start.kind === 'early') {
        await this.#wait(start.wakeAt);
        continue;
      }
      await this.#showRunning();
      const closing: ClosingRecord = {};
      const outcome = await this.#settle(start, async (sandbox) => {
        const answer = await this.#answerTo(node);
        const step = { node, run: start.run, scope, sandbox, answer, closing };
        return behave(this.#run, this.#workflowId, this.#writer, step);
      });
      const mayRetry =
        outcome.status === 'failed' && !limitMet(outcome) && start.failures + 1 < maximumAttempts;
      const pause = Math.min(initialDelayMs * 2 ** start.failures, longestRetryMs);
      const retryAt = mayRetry ? this.#run.now() + pause : undefined;
      this.#writer.end(start.run, outcome, { retryAt, ...closing });
      if (!mayRetry) return outcome;
    }
  }

  /**
   * Does the work of a node, unless the execution has stored too much. A failure becomes an outcome, even one of the service itself;
   * stopping doesn't. The outcome contains no secret.
   */
  async #settle(
    { run, use: { bytes } }: { readonly run: OpenNodeRun; readonly use: ExecutionUse },
    work: (sandbox: Expressions) => Promise<NodeOutput>,
  ): Promise<NodeOutcome> {
    const { masking } = this.#run.secrets;
    const rounded = new RoundedNumbers();
    const sandbox = this.#sandbox.reportingRoundings(rounded.add);
    try {
      await this.#reportMaskedInput(run);
      checkBytes(this.#run.limits, bytes);
      const { text, isMasked } = await work(sandbox);
      const output = isMasked ? text : await masking.json(text);
      await this.#reportRounded(run, rounded);
      return { status: 'completed', output };
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (
        error instanceof HandOver ||
        error instanceof LostClaimError ||
        error instanceof IterationFailedError
      )
        throw error;
      await this.#reportRounded(run, rounded);
      return { status: 'failed', error: await maskFailure(masking, error) };
    }
  }

  /** Logs it with the first node that runs. */
  async #reportMaskedInput(run: OpenNodeRun): Promise<void> {
    if (!this.#reportsMaskedInput) return;
    this.#reportsMaskedInput = false;
    const message = 'The input contains values of secrets, which are replaced with ***.';
    await this.#writer.write((execution) => execution.say(run, { level: 'warn', message }));
  }

  /** Logs once for a node run which numbers its expressions rounded. */
  async #reportRounded(run: OpenNodeRun, { words }: RoundedNumbers): Promise<void> {
    if (words === undefined) return;
    const message = await this.#run.secrets.masking.text(words);
    await this.#writer.write((execution) => execution.say(run, { level: 'warn', message }));
  }

  async #begin(ref: NodeRunRef, options: Omit<BeginOptions, 'now'>): Promise<NodeRunStart> {
    this.#run.signal.throwIfAborted();
    if (this.#run.draining.aborted) throw new HandOver(this.#run.now());
    if (this.#slices.isOver) await this.#slices.next();
    return this.#writer.write((execution) => execution.begin(ref, { ...options, now: this.#run.now() }));
  }

  /** Starts or resumes a node that has a single attempt. */
  async #resume(ref: NodeRunRef, received: ScopeValue): Promise<Exclude<NodeRunStart, { kind: 'early' }>> {
    const options = { input: received.text, canResume: true, isNew: this.#isNew, maximumAttempts: 1 };
    const start = await this.#begin(ref, options);
    if (start.kind === 'early') throw new Error('A node with one attempt waits for no other.');
    return start;
  }

  /** Shows the execution as waiting until `wakeAt`, in epoch milliseconds; `note` stores the wait of a node run. */
  async #wait(wakeAt: number, note?: (execution: ExecutionWriter) => Promise<void>): Promise<void> {
    const isShown = this.#status === 'waiting';
    await this.#writer.write(async (execution) => {
      if (!isShown) execution.setStatus('waiting');
      await note?.(execution);
    });
    this.#status = 'waiting';
    await this.#run.waitUntil(wakeAt, this.#workflowId);
  }

  async #showRunning(): Promise<void> {
    if (this.#status === 'running') return;
    await this.#writer.write((execution) => execution.setStatus('running'));
    this.#status = 'running';
  }

  #refOf(node: WorkflowNode, scope: Scope): NodeRunRef {
    return {
      executionId: this.#run.executionId,
      nodeId: node.id,
      nodeName: node.name,
      nodeType: node.type,
      iteration: scope.iteration,
    };
  }
}

function outputOf(node: WorkflowNode, outcome: NodeOutcome): ScopeValue {
  if (outcome.status === 'failed') throw new NodeFailedError(node.id, outcome.error);
  return new ScopeValue(outcome.output);
}

/** `error`: whatever was thrown. */
async function maskFailure(masking: Masking, error: unknown): Promise<NodeFailure> {
  if (!(error instanceof NodeError))
    return { code: 'node_crashed', message: await masking.text(`The node crashed: ${messageOf(error)}`) };
  const { code, refusal } = error;
  const message = await masking.text(error.message);
  return refusal ? { code, message, ...refusal } : { code, message };
}

/** How many numbers the message names. */
const maximumNamed = 5;
/** How many are counted. */
const maximumCounted = 1000;

/** The numbers that the expressions of a node run read as the nearest ones. */
class RoundedNumbers {
  readonly #byPlace = new Map<string, Rounding>();

  readonly add = (rounded: readonly Rounding[]): void => {
    for (const rounding of rounded)
      if (this.#byPlace.size < maximumCounted) this.#byPlace.set(rounding.place, rounding);
  };

  /** Undefined when there are none. */
  get words(): string | undefined {
    if (this.#byPlace.size === 0) return undefined;
    const named = [...this.#byPlace.values()].slice(0, maximumNamed);
    const more = this.#byPlace.size - named.length;
    const places = named.map(({ place, given, used }) =>
      place === given ? `${given} as ${used}` : `${place}, which is ${given}, as ${used}`,
    );
    return `Expressions compute with the nearest number. They read ${places.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
  }
}
