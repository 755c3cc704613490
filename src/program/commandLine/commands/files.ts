// Workflows as files: compares a folder with a service, and brings each side to the other.
import { plainLine, withoutMark } from '../../../base/format.ts';
import { parseJson } from '../../../base/json.ts';
import { carryOut } from '../../../workflowFiles/carryOut.ts';
import type { StepResult } from '../../../workflowFiles/steps.ts';
import { findChanges } from '../../../workflowFiles/changes.ts';
import type { ComparedFile } from '../../../workflowFiles/compareFolder.ts';
import { type Decision, type Plan, planPromotion, planPull, planPush } from '../../../workflowFiles/plan.ts';
import { comparePromotion } from '../../../workflowFiles/promote.ts';
import { renderLike } from '../../../workflowFiles/renderLike.ts';
import { findEnvironment } from '../../../workflowFiles/workflowsFile.ts';
import { type ExitCode, exitCodes, type Invocation, type Run } from '../command.ts';
import { type GivenArguments, UsageError } from '../given.ts';
import { renderDiff } from '../lineDiff.ts';
import {
  compareFiles,
  openEnvironment,
  type OpenFiles,
  openFiles,
  openOrBeginFiles,
  openWorkflowsJson,
} from './openFiles.ts';
import { actionOf, messageOf, noteOf, renderStep, shownSteps, stepToJson } from './renderSteps.ts';

export const filesStatus: Run = async (invocation) => {
  const { files } = await compareFiles(await openFiles(invocation), invocation.signal);
  invocation.terminal.report(
    files.map(({ file, workflowId, state, problem, renamedFrom }) => ({
      file,
      workflowId: workflowId ?? null,
      state,
      ...(renamedFrom !== undefined && { renamedFrom }),
      ...(problem !== undefined && { message: problem }),
    })),
    () =>
      files
        .map((compared) =>
          [
            compared.state.padEnd('changed there'.length),
            plainLine(compared.file),
            compared.workflowId ?? '',
            noteOf(compared) ?? '',
          ]
            .join('\t')
            .trimEnd(),
        )
        .join('\n'),
  );
  return exitCodes.done;
};

export const filesPull: Run = async (invocation) => {
  const { given, signal } = invocation;
  const opened = await openOrBeginFiles(invocation);
  const comparison = await compareFiles(opened, signal);
  return show(invocation, opened, planPull(comparison, { decision: readDecision(given) }));
};

export const filesPush: Run = async (invocation) => {
  const { given, signal } = invocation;
  const opened = await openFiles(invocation);
  const comparison = await compareFiles(opened, signal);
  const options = { decision: readDecision(given), deploys: given.has('deploy') };
  return show(invocation, opened, planPush(comparison, options));
};

export const filesPromote: Run = async (invocation) => {
  const { given, signal, terminal } = invocation;
  if (['environment', 'url', 'kind', 'key-variable'].some((option) => given.has(option)))
    throw new UsageError('files promote takes its environments with --from and --to, and a key for each.');
  const [fromName, toName] = [required(given, 'from'), required(given, 'to')];
  if (fromName === toName) throw new UsageError('--from and --to are two environments.');
  const file = await openWorkflowsJson();
  findEnvironment(file, fromName);
  const { isGuarded } = findEnvironment(file, toName);
  if (isGuarded && !given.has('dry-run') && given.text('confirm') !== toName)
    throw new UsageError(`"${toName}" is guarded. Add --confirm ${toName} to promote to it.`);
  const from = await openEnvironment(invocation, file, fromName);
  const to = await openEnvironment(invocation, file, toName);
  const promoted = await comparePromotion(from, to, from.files, signal);
  const missing = [...(from.files ?? [])].find((each) => promoted.from.get(each)?.there === undefined);
  if (missing !== undefined) throw new UsageError(`"${fromName}" has no workflow of ${missing}.`);
  for (const { file: path, state } of promoted.from.values())
    if (state !== 'same' && state !== 'changed there')
      terminal.log(`${plainLine(path)} is promoted as "${fromName}" has it. The file: ${state}.`);
  const options = { decision: readDecision(given), deploys: given.has('deploy') };
  return show(invocation, to, planPromotion(promoted.comparison, options));
};

export const filesDiff: Run = async (invocation) => {
  const { given, signal, terminal } = invocation;
  const opened = await openFiles(invocation);
  const { files } = await compareFiles(opened, signal);
  const differing = files.filter(({ state }) => state !== 'same');
  terminal.report(
    differing.map((compared) => {
      const { file, workflowId, state, here, there } = compared;
      const changes = here && there && findChanges(there, here);
      return {
        file,
        workflowId: workflowId ?? null,
        state,
        ...(changes && {
          nodes: changes.nodes,
          members: changes.members,
          difference: differenceOf(compared),
        }),
      };
    }),
    () => differing.map((compared) => renderDifference(compared, opened.opened.environment)).join('\n'),
  );
  return given.has('exit-code') && differing.length > 0 ? exitCodes.no : exitCodes.done;
};

function required(given: GivenArguments, option: string): string {
  const value = given.text(option);
  if (value === undefined) throw new UsageError(`Add --${option} NAME, an environment of workflows.json.`);
  return value;
}

function readDecision(given: GivenArguments): Decision | undefined {
  if (given.has('mine') && given.has('theirs')) throw new UsageError('Give --mine or --theirs: not both.');
  if (given.has('mine')) return 'mine';
  return given.has('theirs') ? 'theirs' : undefined;
}

/** Shows the plan, and carries it out unless it's a dry run. */
async function show(invocation: Invocation, { opened, service }: OpenFiles, plan: Plan): Promise<ExitCode> {
  const { given, signal, terminal } = invocation;
  const results = given.has('dry-run')
    ? undefined
    : await carryOut(plan, { folder: opened.folder, agreed: opened.agreed, service }, signal, {
        onBegin: ({ action, compared }) => {
          if (action !== 'nothing' && action !== 'conflict') terminal.note(`${action} ${compared.file}`);
        },
      });
  const shown = shownSteps(plan, results);
  terminal.report(shown.map(stepToJson), () => {
    const lines = shown
      .filter(
        (each) =>
          actionOf(each) !== 'nothing' ||
          each.step.deploys ||
          each.step.compared.renamedFrom !== undefined ||
          each.result?.kind === 'failed',
      )
      .map(renderStep);
    return lines.length === 0 ? 'Nothing to do.' : lines.join('\n');
  });
  const failed = shown.find(({ result }) => result?.kind === 'failed');
  if (failed !== undefined && terminal.isJson)
    terminal.fail(`${failed.step.compared.file}: ${messageOf(failed) ?? ''}`);
  return exitCodeOf(
    results,
    shown.some((each) => actionOf(each) === 'conflict'),
  );
}

function exitCodeOf(results: readonly StepResult[] | undefined, hasConflict: boolean): ExitCode {
  if (results?.some(({ kind }) => kind === 'failed') === true) return exitCodes.refused;
  return hasConflict ? exitCodes.no : exitCodes.done;
}

/** Of the file against the service's definition, which is laid out like the file. Empty where only the layout would differ. */
function differenceOf({ text, there }: ComparedFile): string {
  if (text === undefined || there === undefined) return '';
  const json = withoutMark(text);
  return parseJson(json) === undefined ? '' : renderDiff(renderLike(json, there), json);
}

function renderDifference(compared: ComparedFile, environment: string): string {
  const { file, state, problem } = compared;
  const name = plainLine(file);
  const difference = differenceOf(compared);
  if (difference === '') return `${name}: ${problem ?? state}`;
  return [`--- ${environment}/${name}`, `+++ ${name}`, difference].join('\n');
}
