// Runs a node in one step, with what it may say, record and publish.
import { stringifyJson } from '../../base/json.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { NodeLine } from '../store/executionWriter.ts';
import type { Expressions } from '../sandbox/ownerExpressions.ts';
import type { Exchange } from '../store/exchanges.ts';
import type { OpenNodeRun } from '../store/nodeRunRows.ts';
import { untilKept } from '../store/storageError.ts';
import type { ExecutionRun } from './executionRun.ts';
import type { Scope } from './loop.ts';
import { maskExchange } from './maskNode.ts';
import { behaviours } from './nodes/behaviours.ts';
import type { NodeContext } from './nodes/nodeBehaviour.ts';
import type { RunWriter } from './runWriter.ts';

/** What is stored with an attempt's end. */
export interface Last {
  line?: NodeLine;
  exchange?: Exchange;
}

interface Step {
  readonly node: WorkflowNode;
  readonly run: OpenNodeRun;
  readonly scope: Scope;
  readonly sandbox: Expressions;
  /** Filled in by the node. */
  readonly last: Last;
}

/** Returns the output as JSON. */
export function behave(
  { store, secrets, signal, away, refusesPrivateAddresses }: ExecutionRun,
  workflowId: string,
  writer: RunWriter,
  { node, run, scope, sandbox, last }: Step,
): Promise<string> {
  const { type } = node;
  if (type === 'delay' || type === 'forEach')
    return Promise.reject(new TypeError(`A ${type} node is not run as one step.`));
  const { mask } = secrets;
  const context: NodeContext = {
    config: node.config,
    scope,
    sandbox,
    secrets,
    hide: mask.text,
    signal,
    away,
    refusesPrivateAddresses,
    say: (level, message) =>
      writer.write((execution) => execution.say(run, { level, message: mask.text(message) })),
    conclude: (level, message) => {
      last.line = { level, message: mask.text(message) };
    },
    record: (exchange) => {
      last.exchange = maskExchange(mask, exchange);
    },
    publish: (eventType, data) =>
      untilKept(signal, () =>
        store.portalEvents.append({
          type: mask.text(eventType),
          data: { ...mask.object(data), workflowId: workflowId, executionId: run.executionId },
          sourceId: `node:${run.executionId}:${run.nodeId}#${stringifyJson(run.iteration)}`,
        }),
      ),
  };
  return behaviours[type](context);
}
