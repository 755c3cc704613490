// An execution that the real service has run, as the extension reads it.
import assert from 'node:assert/strict';
import { decodeExecution } from '../../src/api/decode/execution.ts';
import { decodeNodeLog, orderNodeLogs } from '../../src/api/decode/nodeLog.ts';
import { decodeWorkflow } from '../../src/api/decode/workflow.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { systemClock } from '../../src/base/time.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { readRecordedData, type RecordedData } from '../../src/ui/expressions/recordedData.ts';
import { toRanDefinition } from '../../src/model/workflows/ranDefinitions.ts';
import { Evaluator } from '../../src/service/sandbox/evaluator.ts';
import { call, runToEnd } from '../service/calls.ts';
import { foldNodeRuns, treeOf } from './memory/records.ts';
import type { TestService } from './service.ts';
import { workerProgram } from './sandbox.ts';

export interface RanExecution {
  readonly text: DefinitionText;
  readonly shown: RecordedData;
}

/** Runs a definition to its end. */
export async function ran(
  service: TestService,
  definition: JsonObject,
  input: JsonObject = {},
): Promise<RanExecution> {
  const { workflowId, executionId, rows } = await runToEnd(service, definition, input);
  const execution = decodeExecution((await call(service, 'GET', `/v1/executions/${executionId}`)).body);
  const workflow = decodeWorkflow((await call(service, 'GET', `/v1/workflows/${workflowId}`)).body);
  assert.ok(execution && workflow);
  const logs = rows.flatMap((row, index) => decodeNodeLog(row, index) ?? []);
  const text = DefinitionText.of(definition);
  const runTree = treeOf(foldNodeRuns(orderNodeLogs(logs)));
  const record = { id: execution.id, input: undefined };
  const ranNodes = toRanDefinition(workflow.deployedDefinition, 'service')?.nodes;
  return { text, shown: readRecordedData(record, runTree, new Map(), text, ranNodes) };
}

export function createEvaluator(): Evaluator {
  return new Evaluator({ program: workerProgram, clock: systemClock });
}
