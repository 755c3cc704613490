// Starts executions, and waits for them where that's wanted.
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../../base/json.ts';
import { outputValue } from '../../../domain/execution.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { WordedError } from '../../../domain/errors.ts';
import { chooseRetryDefinition, retryDefinitions } from '../../../model/workflows/retryDefinition.ts';
import { toDefinition } from '../../../model/workflows/workflowDefinition.ts';
import type { TriggeredExecution } from '../../../model/workflows/workflowActions.ts';
import { stateOf } from '../../../words/executionWords.ts';
import { findWorkflow } from '../../findWorkflow.ts';
import type { OpenService } from '../../openService.ts';
import { type ExitCode, exitCodes, type Invocation, type Run } from '../command.ts';
import { UsageError } from '../given.ts';
import { exitCodeOf, follow } from '../following.ts';
import { readText, toObject } from '../readFiles.ts';

async function readInput({ given, signal }: Invocation): Promise<JsonObject> {
  const [path, data] = [given.text('input'), given.text('data')];
  if (path !== undefined && data !== undefined) throw new UsageError('Give --input or --data: not both.');
  if (path !== undefined) return toObject(await readText(path, signal), 'The input');
  return data === undefined ? {} : toObject(data, 'The input');
}

export const executeWorkflow: Run = async (invocation) => {
  const { given, openService, signal } = invocation;
  const draft = given.text('draft');
  if (draft === '-' && given.text('input') === '-') throw new UsageError('Only one file can be stdin.');
  const input = await readInput(invocation);
  const definition = draft === undefined ? undefined : toObject(await readText(draft, signal), 'The draft');
  const service = openService();
  const { actions, connectionId } = service;
  const workflow = await findWorkflow(service, given.at(0), signal);
  const target = { connectionId, workflowId: workflow.id };
  const triggered =
    definition === undefined
      ? await actions.execute(target, input, { signal })
      : await actions.executeDraft(
          target,
          { definition: toDefinition({ ...workflow, raw: definition }), input },
          { signal },
        );
  return reportStarted(invocation, service, target, triggered);
};

export const retryExecution: Run = async (invocation) => {
  const { given, openService, signal } = invocation;
  const wanted = given.oneOf('definition', retryDefinitions);
  const service = openService();
  const { actions, connectionId } = service;
  const target = { connectionId, executionId: given.at(0) };
  const definition = wanted ?? (await chooseRetryDefinition(service, target, signal));
  const request = { fromNodeId: given.text('from'), definition };
  const triggered = await actions.retry(target, request, signal);
  return reportStarted(invocation, service, { connectionId, workflowId: triggered.workflowId }, triggered);
};

/** What the service said, or what became of the execution. */
async function reportStarted(
  invocation: Invocation,
  service: OpenService,
  target: WorkflowTarget,
  triggered: TriggeredExecution,
): Promise<ExitCode> {
  const { given, terminal, signal } = invocation;
  const [started] = triggered.executionIds;
  const { eventIds } = triggered;
  const { connectionId, workflowId } = target;
  if (!given.has('wait')) {
    terminal.report(
      {
        workflowId,
        eventIds,
        status: triggered.status,
        ...(started === undefined ? {} : { executionId: started }),
      },
      () => started ?? eventIds.join('\n'),
    );
    return exitCodes.done;
  }
  const match = await service.actions.findExecution(target, triggered, signal);
  if (match.kind === 'unknown')
    throw new WordedError(l10n.t("The execution was started, but it can't be told which one it is."));
  const { executionId } = match;
  const execution = { connectionId, executionId };
  const status = await follow(invocation, service, execution, (lines) => {
    for (const line of lines) terminal.log(line);
  });
  const record = await service.executions.get(execution, signal);
  const output =
    status.notKeptBy === undefined ? await service.executions.output(execution, signal) : undefined;
  const value = (output && outputValue(output)) ?? null;
  const error = record.error && { ...record.error };
  if (terminal.isJson)
    terminal.writeJson({
      workflowId,
      eventIds,
      status: stateOf({ status }),
      executionId,
      output: value,
      error,
    });
  else {
    if (error !== null) terminal.fail(error.message);
    if (output?.kind === 'text') terminal.write(output.text);
    else if (value !== null) terminal.writeJson(value);
  }
  return exitCodeOf(status);
}
