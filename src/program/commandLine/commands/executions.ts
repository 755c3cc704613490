import { type JsonObject, stringifyJson } from '../../../base/json.ts';
import { redact } from '../../../base/masking.ts';
import { type Execution, outputValue } from '../../../domain/execution.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import type { FoundPlace } from '../../../domain/search.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../../model/comparison/fieldPatterns.ts';
import { explainFailure, type FailureExplanation } from '../../../model/failures/explainFailure.ts';
import type { SearchState } from '../../../model/search/executionSearch.ts';
import { searchExecutions } from '../../../model/search/searchExecutions.ts';
import { withCriteria } from '../../../model/search/searchTerms.ts';
import { stateOf } from '../../../words/executionWords.ts';
import { describeFound } from '../../../words/foundPlaces.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { renderShownLines } from '../../../words/renderLogLine.ts';
import { findWorkflow } from '../../findWorkflow.ts';
import type { OpenService } from '../../openService.ts';
import { readRows } from '../../readRows.ts';
import { type ExitCode, exitCodes, type Invocation, type Run } from '../command.ts';
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

export const listExecutions: Run = (invocation) => {
  const query = invocation.given.text('search');
  return query === undefined ? list(invocation) : search(invocation, query);
};

async function list({ given, openService, signal, terminal }: Invocation): Promise<ExitCode> {
  const limit = given.count('limit') ?? listedByDefault;
  const service = openService();
  const { connectionId, executions } = service;
  const [wanted, status] = [given.text('workflow'), given.text('status')];
  const query = {
    ...(wanted === undefined ? {} : { workflowId: (await findWorkflow(service, wanted, signal)).id }),
    ...(status === undefined ? {} : { status }),
  };
  const listed = await executions.listWhole(connectionId, query, { limit, signal, purpose: 'asked' });
  terminal.report(listed.map(renderExecution), () => listed.map(renderLine).join('\n'));
  return exitCodes.done;
}

function renderExecution(execution: Execution): JsonObject {
  const { id, workflowId, found } = execution;
  return { id, workflowId, status: stateOf(execution), ...(found && { found: found.map(renderPlace) }) };
}

function renderPlace({ iteration, ...others }: FoundPlace): JsonObject {
  return { ...others, ...(iteration && { iteration: [...iteration] }) };
}

/** With the first place where the text stands. */
function renderLine({ id, status, workflowId, found: [place] = [] }: Execution): string {
  return [id, wordOfStatus(status), workflowId ?? '', ...(place ? [describeFound(place)] : [])].join('\t');
}

/** How many executions are looked at before a line says how far it is. */
const notedEvery = 50;

/** Writes what it finds at once: a service that doesn't search itself is read execution by execution. */
async function search(
  { given, openService, signal, terminal }: Invocation,
  query: string,
): Promise<ExitCode> {
  const service = openService();
  const rows = terminal.beginList();
  let written = 0;
  let noted = 0;
  const write = ({ found, searched }: SearchState): void => {
    for (const execution of found.slice(written)) {
      rows.add(renderExecution(execution));
      if (!terminal.isJson) terminal.write(renderLine(execution));
    }
    written = found.length;
    if (searched === null || searched < noted + notedEvery) return;
    noted = searched;
    terminal.note(`Executions searched: ${searched}`);
  };
  const criteria = { workflow: given.text('workflow'), status: given.text('status') };
  const limit = given.count('limit') ?? listedByDefault;
  const { connectionId } = service;
  const state = await searchExecutions(service, connectionId, withCriteria(query, criteria), {
    limit,
    signal,
    onProgress: write,
  });
  rows.end();
  if (state.hasMore && state.found.length < limit)
    terminal.log(`No search finds more than ${state.found.length}. Narrow it to find others.`);
  if (state.partlySearched > 0) terminal.log(`Searched only in part: ${state.partlySearched}`);
  return exitCodes.done;
}

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
