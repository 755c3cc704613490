// Runs nodes durably: a node run and its log rows are stored exactly once, before the next node starts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { stringifyJson } from '../../base/json.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { BeginOptions, ExecutionWriter, NodeRunStart } from '../store/executionWriter.ts';
import { LostClaimError } from '../store/lockedExecution.ts';
import type { ExecutionUse } from '../store/nodeLogs.ts';
import type { Expressions } from '../sandbox/ownerExpressions.ts';
import type { NodeOutcome, NodeIteration, OpenNodeRun } from '../store/nodeRunRows.ts';
import type { ExecutionStatus } from '../../domain/status.ts';
import type { Work } from '../store/executionRows.ts';
import type { Answer, Answers } from './answers.ts';
import {
  continueLoop,
  readItems,
  type RunIteration,
  runIterations,
  type Scope,
  IterationFailedError,
} from './loop.ts';
import type { ExecutionRun } from './executionRun.ts';
import { checkBytes, limitMet } from './limits.ts';
import { HandOver, NodeFailedError } from './errors.ts';
import { maskFailure } from './maskNode.ts';
import { behave, type Last } from './behave.ts';
import { type NodeOutput, readConfig } from './nodes/nodeBehaviour.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import { untilKept } from '../store/storageError.ts';
import { RoundedNumbers } from './roundedNumbers.ts';
import type { RunWriter } from './runWriter.ts';

/** The longest pause between two attempts. */
const longestRetryMs = 100_000;
/** After this time, other work on the thread gets its turn. */
const longestTurnMs = 10;

const DelayConfig = v.object({ milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400_000)) });

export class NodeRunner {
  readonly #run: ExecutionRun;
  readonly #workflowId: string;
  readonly #sandbox: Expressions;
  readonly #writer: RunWriter;
  readonly #answers: Answers | undefined;
  /** Whether no earlier run has begun a node. */
  readonly #isNew: boolean;
  #status: ExecutionStatus;
  #tellsMaskedInput: boolean;
  #turnBegan = performance.now();

  constructor(
    run: ExecutionRun,
    { workflowId, status, queuedSince, isInputMasked }: Work,
    writer: RunWriter,
    answers: Answers | undefined,
  ) {
    this.#run = run;
    this.#workflowId = workflowId;
    this.#sandbox = run.sandbox.of(workflowId);
    this.#writer = writer;
    this.#answers = answers;
    this.#isNew = queuedSince !== null;
    this.#status = status;
    this.#tellsMaskedInput = this.#isNew && isInputMasked;
  }

  /** Runs the node, or returns the output of an earlier run or of a pin. */
  async run(node: WorkflowNode, scope: Scope, received: ScopeValue): Promise<ScopeValue> {
    const nodeIteration = this.#iterationOf(node, scope);
    const answer = await this.#answerFor(node, scope);
    if (answer?.kind === 'answered') return this.#give(node, nodeIteration, answer, received);
    const outcome =
      node.type === 'delay'
        ? await this.#delay(node, nodeIteration, scope, received)
        : await this.#attempts(node, nodeIteration, scope, received);
    return outputOf(node, outcome);
  }

  async skip(node: WorkflowNode, scope: Scope, reason: string): Promise<void> {
    await this.#takeTurn();
    const nodeIteration = this.#iterationOf(node, scope);
    await this.#writer.write((execution) => execution.skip(nodeIteration, reason, this.#isNew));
  }

  /** Runs the body for each item in sequence; the output is the list of the iterations' results. */
  async runLoop(
    node: WorkflowNode,
    scope: Scope,
    received: ScopeValue,
    runIteration: RunIteration,
  ): Promise<ScopeValue> {
    const nodeIteration = this.#iterationOf(node, scope);
    const answer = await this.#answerFor(node, scope);
    if (answer?.kind === 'answered') return this.#give(node, nodeIteration, answer, received);
    const start = await this.#resume(nodeIteration, received);
    if (start.kind === 'ended') return outputOf(node, start.outcome);
    await this.#showRunning();
    const recorded = start.items === null && answer?.kind === 'continued' ? answer.loop : undefined;
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

  async #answerFor(node: WorkflowNode, { iteration }: Scope): Promise<Answer | undefined> {
    const answers = this.#answers;
    return answers && untilKept(this.#run.signal, () => answers.of(node, iteration));
  }

  /** Stores and returns the outcome of a node that doesn't run. */
  async #give(
    node: WorkflowNode,
    nodeIteration: NodeIteration,
    { outcome, origin }: Extract<Answer, { kind: 'answered' }>,
    received: ScopeValue,
  ): Promise<ScopeValue> {
    await this.#takeTurn();
    const answered = { input: received.text, outcome, origin };
    this.#run.signal.throwIfAborted();
    await this.#writer.write((execution) => execution.answer(nodeIteration, answered, this.#isNew));
    return outputOf(node, outcome);
  }

  async #delay(
    node: WorkflowNode,
    nodeIteration: NodeIteration,
    scope: Scope,
    received: ScopeValue,
  ): Promise<NodeOutcome> {
    const start = await this.#resume(nodeIteration, received);
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
    nodeIteration: NodeIteration,
    scope: Scope,
    received: ScopeValue,
  ): Promise<NodeOutcome> {
    const { maximumAttempts, initialDelayMs } = node.retry;
    for (let isNew = this.#isNew; ; isNew = false) {
      const options = { input: received.text, canResume: false, isNew, maximumAttempts };
      const start = await this.#begin(nodeIteration, options);
      if (start.kind === 'ended') return start.outcome;
      if (start.kind === 'early') {
        await this.#wait(start.wakeAt);
        continue;
      }
      await this.#showRunning();
      const last: Last = {};
      const outcome = await this.#settle(start, (sandbox) =>
        behave(this.#run, this.#workflowId, this.#writer, { node, run: start.run, scope, sandbox, last }),
      );
      const mayRetry =
        outcome.status === 'failed' && !limitMet(outcome) && start.failures + 1 < maximumAttempts;
      const pause = Math.min(initialDelayMs * 2 ** start.failures, longestRetryMs);
      const retryAt = mayRetry ? this.#run.now() + pause : undefined;
      this.#writer.end(start.run, outcome, { retryAt, ...last });
      if (!mayRetry) return outcome;
    }
  }

  /**
   * Does the work of a node, unless the execution has stored too much. A failure becomes an outcome, also one of the service; stopping
   * doesn't. The outcome has no secret.
   */
  async #settle(
    { run, use: { bytes } }: { readonly run: OpenNodeRun; readonly use: ExecutionUse },
    work: (sandbox: Expressions) => Promise<NodeOutput>,
  ): Promise<NodeOutcome> {
    const { masking } = this.#run.secrets;
    const rounded = new RoundedNumbers();
    const sandbox = this.#sandbox.telling(rounded.add);
    try {
      await this.#tellMaskedInput(run);
      checkBytes(this.#run.limits, bytes);
      const { text, isMasked } = await work(sandbox);
      const output = isMasked ? text : await masking.json(text);
      await this.#tellRounded(run, rounded);
      return { status: 'completed', output };
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (
        error instanceof HandOver ||
        error instanceof LostClaimError ||
        error instanceof IterationFailedError
      )
        throw error;
      await this.#tellRounded(run, rounded);
      return { status: 'failed', error: await maskFailure(masking, error) };
    }
  }

  /** Says it with the first node that runs. */
  async #tellMaskedInput(run: OpenNodeRun): Promise<void> {
    if (!this.#tellsMaskedInput) return;
    this.#tellsMaskedInput = false;
    const message = 'The input contains values of secrets, which are replaced with ***.';
    await this.#writer.write((execution) => execution.say(run, { level: 'warn', message }));
  }

  /** Says once for a node run which numbers its expressions rounded. */
  async #tellRounded(run: OpenNodeRun, { words }: RoundedNumbers): Promise<void> {
    if (words === undefined) return;
    const message = await this.#run.secrets.masking.text(words);
    await this.#writer.write((execution) => execution.say(run, { level: 'warn', message }));
  }

  async #begin(nodeIteration: NodeIteration, options: Omit<BeginOptions, 'now'>): Promise<NodeRunStart> {
    this.#run.signal.throwIfAborted();
    if (this.#run.draining.aborted) throw new HandOver(this.#run.now());
    await this.#takeTurn();
    return this.#writer.write((execution) =>
      execution.begin(nodeIteration, { ...options, now: this.#run.now() }),
    );
  }

  /** Starts or resumes a node that has a single attempt. */
  async #resume(
    nodeIteration: NodeIteration,
    received: ScopeValue,
  ): Promise<Exclude<NodeRunStart, { kind: 'early' }>> {
    const options = { input: received.text, canResume: true, isNew: this.#isNew, maximumAttempts: 1 };
    const start = await this.#begin(nodeIteration, options);
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

  /** Yields the thread regularly, also during a sequence of nodes that never wait. */
  async #takeTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < longestTurnMs) return;
    await nextTurn();
    this.#turnBegan = performance.now();
  }

  #iterationOf(node: WorkflowNode, scope: Scope): NodeIteration {
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
