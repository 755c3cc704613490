// What the plans for files and their results say.
import { plainLine } from '../../../base/format.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { StepResult } from '../../../workflowFiles/steps.ts';
import type { ComparedFile } from '../../../workflowFiles/compareFolder.ts';
import type { Plan, PlanStep } from '../../../workflowFiles/plan.ts';
import { describeTypedError } from '../../../words/describeTypedError.ts';

/** A step, and what came of it if it was carried out. */
export interface ShownStep {
  readonly step: PlanStep;
  readonly result: StepResult | undefined;
}

export function shownSteps(
  { steps }: Plan,
  results: readonly StepResult[] | undefined,
): readonly ShownStep[] {
  return steps.map((step) => ({ step, result: results?.find((each) => each.step === step) }));
}

/** A conflict may show only when the step is carried out. */
export function actionOf({ step, result }: ShownStep): PlanStep['action'] {
  return result?.kind === 'conflict' ? 'conflict' : step.action;
}

export function stepToJson(shown: ShownStep): JsonObject {
  const { step, result } = shown;
  const { compared, difference, needs, deploys } = step;
  const message = messageOf(shown);
  return {
    file: compared.file,
    workflowId: result?.workflowId ?? compared.workflowId ?? null,
    state: compared.state,
    action: actionOf(shown),
    ...(compared.renamedFrom !== undefined && { renamedFrom: compared.renamedFrom }),
    ...(difference && { nodes: difference.nodes, members: difference.members }),
    ...(deploys && { deploy: true }),
    ...(needs && needs.secrets.length > 0 && { secrets: needs.secrets }),
    ...(needs && needs.credentials.length > 0 && { credentials: needs.credentials }),
    ...(needs && needs.workflows.length > 0 && { workflows: needs.workflows }),
    ...(result?.kind === 'done' && result.leftOut.length > 0 && { leftOut: result.leftOut }),
    ...(result && { done: result.kind === 'done' }),
    ...(message !== undefined && { message }),
  };
}

/** Why a step can't be done, or wasn't. */
export function messageOf(shown: ShownStep): string | undefined {
  const { step, result } = shown;
  if (result?.kind === 'failed') return describeTypedError(result.error)?.message ?? result.error.message;
  if (result?.kind === 'notTried') return "It wasn't tried.";
  if (actionOf(shown) !== 'conflict') return undefined;
  const { problem, state, candidates } = step.compared;
  if (problem !== undefined) return problem;
  if (step.action !== 'conflict') return 'It was changed in the meantime.';
  if (candidates.length > 0) return decideRename(step.compared);
  return state === 'deleted there'
    ? 'Its workflow was deleted: --mine keeps the file for a push, --theirs deletes it.'
    : 'Both sides changed: --mine or --theirs decides.';
}

/** What is known beside a file's state. */
export function noteOf({ problem, renamedFrom, candidates }: ComparedFile): string | undefined {
  if (problem !== undefined) return problem;
  if (renamedFrom !== undefined) return `renamed from ${plainLine(renamedFrom)}`;
  return candidates.length === 0 ? undefined : `may be ${plainLine(candidates.join(' or '), 500)}`;
}

function decideRename({ state, candidates }: ComparedFile): string {
  const others = candidates.join(' or ');
  return state === 'only here'
    ? `It may be ${others} under another name: rename that in workflows.json, or create a new workflow with --mine.`
    : `It may be ${others} now: rename it in workflows.json, or write the file again with --theirs.`;
}

export function renderStep(shown: ShownStep): string {
  const { step, result } = shown;
  const { compared, difference, needs, deploys } = step;
  const message = messageOf(shown);
  const changed = [
    ...(difference && difference.nodes.length > 0 ? [`nodes ${difference.nodes.join(', ')}`] : []),
    ...(difference?.members ?? []),
  ];
  const line = [
    actionOf(shown),
    plainLine(compared.file),
    step.changes === 'file' ? 'the file' : (result?.workflowId ?? compared.workflowId ?? 'the workflow'),
    changed.length === 0 ? undefined : plainLine(changed.join('; '), 500),
    deploys ? 'deploy' : undefined,
    compared.renamedFrom === undefined ? undefined : noteOf(compared),
  ];
  const leftOut = result?.kind === 'done' ? result.leftOut : [];
  return [
    line.filter((words) => words !== undefined).join('\t'),
    ...(message === undefined ? [] : [`\t${plainLine(message, 500)}`]),
    ...needsLines(needs),
    ...(leftOut.length === 0 ? [] : [`\tThe service doesn't keep ${plainLine(leftOut.join(', '), 500)}.`]),
  ].join('\n');
}

function needsLines(needs: PlanStep['needs']): readonly string[] {
  if (needs === undefined) return [];
  const { secrets, credentials, workflows } = needs;
  const say = (names: readonly string[], sentence: (names: string) => string): readonly string[] =>
    names.length === 0 ? [] : [`\t${sentence(plainLine(names.join(', '), 500))}`];
  return [
    // No key may ask which there are.
    ...say(secrets, (all) => `It needs the secrets ${all} there. The service can't be asked for them.`),
    ...say(
      credentials,
      (all) => `It needs the credentials ${all} there. The service can't be asked for them.`,
    ),
    ...say(workflows, (all) => `It calls workflows that aren't there: ${all}.`),
  ];
}
