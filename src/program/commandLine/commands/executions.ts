import { type JsonObject, stringifyJson } from '../../../base/json.ts';
import { redact } from '../../../base/secrets.ts';
import { outputValue } from '../../../domain/execution.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../../model/comparison/fieldPatterns.ts';
import { explainFailure, type FailureExplanation } from '../../../model/failures/explainFailure.ts';
import { stateOf } from '../../../words/executionWords.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { renderShownLines } from '../../../words/renderLogLine.ts';
import { findWorkflow } from '../../findWorkflow.ts';
import type { OpenService } from '../../openService.ts';
import { readRows } from '../../readRows.ts';
import { exitCodes, type Invocation, type Run } from '../command.ts';
import { exitCodeOf, follow } from '../following.ts';

/** How many executions are listed unless it's said otherwise. */
const listedByDefault = 100;

function open({ given, openService }: Invocation): {
  readonly service: OpenService;
  readonly target: ExecutionTarget;
} {
  const service = openService();
  return { service, target: { connectionId: service.connectionId, executionId: given.at(0) } };
}

export const listExecutions: Run = async ({ given, openService, signal, terminal }) => {
  const limit = given.count('limit') ?? listedByDefault;
  const service = openService();
  const { connectionId, executions } = service;
  const [wanted, status] = [given.text('workflow'), given.text('status')];
  const query = {
    ...(wanted === undefined ? {} : { workflowId: (await findWorkflow(service, wanted, signal)).id }),
    ...(status === undefined ? {} : { status }),
  };
  const listed = await executions.listWhole(connectionId, query, { limit, signal, purpose: 'asked' });
  terminal.report(
    listed.map((each) => ({ id: each.id, workflowId: each.workflowId, status: stateOf(each) })),
    () =>
      listed.map((each) => [each.id, wordOfStatus(each.status), each.workflowId ?? ''].join('\t')).join('\n'),
  );
  return exitCodes.done;
};

export const showExecution: Run = async (invocation) => {
  const { service, target } = open(invocation);
  const { raw } = await service.executions.readInput(target, invocation.signal);
  invocation.terminal.writeJson(raw);
  return exitCodes.done;
};

export const showOutput: Run = async (invocation) => {
  const { signal, terminal } = invocation;
  const { service, target } = open(invocation);
  const output = await service.executions.output(target, signal);
  if (output.kind === 'notReady') {
    terminal.fail("The execution hasn't ended, so it has no output yet.");
    return exitCodes.no;
  }
  if (output.kind === 'text' && !terminal.isJson) terminal.write(output.text);
  else terminal.writeJson(output.kind === 'text' ? output.text : (outputValue(output) ?? null));
  return exitCodes.done;
};

/** A row for code. Its texts are masked as lines are. */
function renderRow(row: NodeLog): JsonObject {
  const { nodeId, nodeName, iteration, attempt, level, message, timestamp, status, error } = row;
  return {
    sequence: row.sequence,
    nodeId,
    nodeName,
    iteration: [...iteration],
    attempt,
    level,
    message: redact(message),
    timestamp: timestamp?.toISOString() ?? null,
    status: status && stateOf({ status }),
    error: error && { ...error, message: redact(error.message) },
  };
}

export const showLogs: Run = async (invocation) => {
  const { given, signal, terminal } = invocation;
  const { service, target } = open(invocation);
  if (given.has('follow')) {
    // Following goes on where the connection is lost, so what was never there is found out before.
    await service.executions.get(target, signal);
    const status = await follow(invocation, service, target, (lines, rows) => {
      if (terminal.isJson) for (const row of rows) terminal.writeJson(renderRow(row));
      else for (const line of lines) terminal.write(line);
    });
    return exitCodeOf(status);
  }
  const list = terminal.beginList();
  for await (const rows of readRows(service, target, signal)) {
    if (terminal.isJson) for (const row of rows) list.add(renderRow(row));
    else for (const line of renderShownLines(rows)) terminal.write(line);
    await terminal.drain();
  }
  list.end();
  return exitCodes.done;
};

export const explainExecution: Run = async (invocation) => {
  const { signal, terminal } = invocation;
  const { service, target } = open(invocation);
  const { patterns } = parseFieldPatterns(defaultIgnoredFields);
  const explanation = await explainFailure(service, target, patterns, signal);
  if (explanation === undefined) {
    const { status } = await service.executions.get(target, signal);
    terminal.report(null, () =>
      status.isTerminal
        ? "The execution didn't fail."
        : "The execution hasn't ended, and hasn't failed so far.",
    );
    return exitCodes.done;
  }
  const { difference, ...rest } = explanation;
  const value = difference === undefined ? rest : { ...rest, difference: { ...difference } };
  terminal.report(value, () => renderExplanation(explanation));
  return exitCodes.done;
};

function renderExplanation({
  nodeId,
  nodeName,
  iteration,
  reason,
  input,
  lines,
  difference,
}: FailureExplanation) {
  const place = (name: string, numbers: readonly number[] = []): string =>
    `${name}${numbers.map((number) => ` [${number}]`).join('')}`;
  const parts = [`${place(nodeName ?? nodeId ?? 'The execution', iteration)}: ${reason}`];
  if (input !== undefined) parts.push(`Input:\n${stringifyJson(input, 2)}`);
  if (lines.length > 0) parts.push(`Last lines:\n${lines.join('\n')}`);
  if (difference !== undefined) {
    const { executionId, field, before, after } = difference;
    const where =
      difference.nodeName === undefined ? '' : `${place(difference.nodeName, difference.iteration)}, `;
    const value = (each: typeof before): string => (each === undefined ? 'missing' : stringifyJson(each));
    parts.push(
      `Different from ${executionId}, which completed:\n${where}${field}: ${value(before)} → ${value(after)}`,
    );
  }
  return parts.join('\n\n');
}

export const cancelExecution: Run = async (invocation) => {
  const { service, target } = open(invocation);
  const execution = await service.actions.cancel(target, invocation.signal);
  const status = stateOf(execution);
  invocation.terminal.report({ executionId: execution.id, status }, () => status);
  return exitCodes.done;
};
