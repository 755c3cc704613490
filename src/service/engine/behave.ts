// Runs a node in one step, and gives it what it needs to log, record and publish.
import { stringifyJson } from '../../base/json.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { HttpAnswer } from '../../protocol/httpAnswers.ts';
import type { NodeLine } from '../store/executionWriter.ts';
import type { Expressions } from '../sandbox/ownerExpressions.ts';
import type { Exchange } from '../store/exchanges.ts';
import type { OpenNodeRun } from '../store/nodeRuns.ts';
import { retryUntilStored } from '../store/storageError.ts';
import type { ExecutionRun } from './executionRun.ts';
import type { Scope } from './loop.ts';
import { behaviours } from './nodes/behaviours.ts';
import type { NodeContext, NodeOutput } from './nodes/nodeBehaviour.ts';
import type { RunWriter } from './runWriter.ts';
import { isForEach } from '../../definition/nodeTypes.ts';

/** What is stored with an attempt's end. */
export interface ClosingRecord {
  line?: NodeLine;
  exchange?: Exchange;
}

interface NodeStep {
  readonly node: WorkflowNode;
  readonly run: OpenNodeRun;
  readonly scope: Scope;
  readonly sandbox: Expressions;
  /** What an HTTP request node gets instead of sending its request. */
  readonly answer: HttpAnswer | undefined;
  /** Filled in by the node. */
  readonly closing: ClosingRecord;
}

/** Returns the output. */
export async function behave(
  { store, secrets, signal, away, refusesPrivateAddresses }: ExecutionRun,
  workflowId: string,
  writer: RunWriter,
  { node, run, scope, sandbox, answer, closing }: NodeStep,
): Promise<NodeOutput> {
  const { type } = node;
  if (type === 'delay' || isForEach(type)) throw new TypeError(`A ${type} node is not run as one step.`);
  const { masking } = secrets;
  let line: NodeLine | undefined;
  const context: NodeContext = {
    config: node.config,
    scope,
    sandbox,
    secrets,
    masking,
    signal,
    away,
    refusesPrivateAddresses,
    answer,
    say: async (level, message) => {
      const masked = await masking.text(message);
      await writer.write((execution) => execution.say(run, { level, message: masked }));
    },
    conclude: (level, message) => {
      line = { level, message };
    },
    record: (exchange) => {
      closing.exchange = exchange;
    },
    publish: async (eventType, data) => {
      const event = {
        type: await masking.text(eventType),
        data: { ...(await masking.object(data)), workflowId, executionId: run.executionId },
        sourceId: `node:${run.executionId}:${run.nodeId}#${stringifyJson(run.iteration)}`,
      };
      return retryUntilStored(signal, () => store.portalEvents.append(event));
    },
  };
  try {
    return await behaviours[type](context);
  } finally {
    if (line) closing.line = { ...line, message: await masking.text(line.message) };
  }
}
