// Carries out a plan in the window: with progress and cancel, and one message that names what failed.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { plainLine } from '../../base/format.ts';
import { askText, withProgress } from '../../editor/prompts/prompts.ts';
import type { CommandResult } from '../../editor/commands/types.ts';
import type { LinkedFolder } from '../../ui/linkedFiles.ts';
import { describeProgress, type MessageAction, type Outcome, reportOutcome } from '../../ui/transfer.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { carryOut } from '../../workflowFiles/carryOut.ts';
import type { StepResult } from '../../workflowFiles/steps.ts';
import { FilesError } from '../../workflowFiles/filesError.ts';
import type { Plan } from '../../workflowFiles/plan.ts';
import { workflowsFileName } from '../../workflowFiles/workflowsFile.ts';
import type { FilesDeps } from './filesDeps.ts';
import { showChanges } from './folderChoice.ts';
import type { OpenComparison } from './openComparison.ts';
import { dueSteps } from './planPick.ts';

type Done = Extract<StepResult, { readonly kind: 'done' }>;

interface Acting {
  /** Of the progress. */
  readonly title: string;
  /** Returns the first sentence of the message at the end. */
  readonly describeDone: (done: readonly Done[]) => string;
  readonly actionsFor?: (done: readonly Done[]) => readonly MessageAction[];
}

export type Planned = CommandResult<'files.push'>;

export function isGuarded({ file }: LinkedFolder, environment: string): boolean {
  return file?.environments.get(environment)?.isGuarded === true;
}

/** A guarded environment wants its name typed before anything is sent to it. Rejects with Cancelled on Escape. */
export async function confirmGuarded(folder: LinkedFolder, environment: string): Promise<void> {
  if (!isGuarded(folder, environment)) return;
  await askText({
    prompt: vscode.l10n.t('"{0}" is guarded. Type its name to go on.', plainLine(environment, 80)),
    validate: (text) =>
      text.trim() === environment ? undefined : vscode.l10n.t("This isn't the environment's name."),
  });
}

type CarryingDeps = Pick<FilesDeps, 'clock' | 'logger' | 'linkedFiles' | 'states'>;

/** Without questions and messages. Rejects with a FilesError. */
export async function carryOutForCode(
  deps: CarryingDeps,
  plan: Plan,
  { folder, opened, service }: OpenComparison,
): Promise<readonly StepResult[]> {
  try {
    return await carryOut(plan, { ...opened, service }, new AbortController().signal);
  } finally {
    await showChanges(deps, folder.uri);
  }
}

/** Returns what was done until it was cancelled. */
export async function carryOutForPerson(
  deps: CarryingDeps,
  plan: Plan,
  { folder, opened, service }: OpenComparison,
  { title, describeDone, actionsFor }: Acting,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const due = dueSteps(plan);
  let begun = 0;
  try {
    await withProgress(title, (signal, report) =>
      carryOut(plan, { ...opened, service }, signal, {
        onBegin: (step) => {
          if (!due.includes(step)) return;
          report(...describeProgress(step.compared.file, begun, due.length));
          begun += 1;
        },
        onEnd: (result) => {
          if (due.includes(result.step)) results.push(result);
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || !isAbortError(error)) throw error;
  } finally {
    await showChanges(deps, folder.uri);
  }
  reportOutcome(outcomeOf(results, due.length), {
    ...deps,
    describeDone,
    ...(actionsFor && { actionsFor }),
    isWarning: (done) => done.some(({ leftOut }) => leftOut.length > 0),
  });
  return results;
}

function outcomeOf(results: readonly StepResult[], count: number): Outcome<Done> {
  const done = results.filter((result) => result.kind === 'done');
  const failed = results.flatMap((result) => {
    const error = failureOf(result);
    return error === undefined ? [] : [{ name: result.step.compared.file, error }];
  });
  return { done, failed, untried: count - done.length - failed.length };
}

/** Why it wasn't done, where it was tried. */
function failureOf(result: StepResult): Error | undefined {
  if (result.kind === 'failed') return result.error;
  return result.kind === 'conflict'
    ? new FilesError(vscode.l10n.t('It has changed in the meantime. Nothing was done.'))
    : undefined;
}

/** What code gets of a plan: what would be done, or with results what was. */
export function plannedFiles(plan: Plan, results?: readonly StepResult[]): CommandResult<'files.push'> {
  const byFile = new Map(results?.map((result) => [result.step.compared.file, result]));
  return plan.steps.map(({ compared: { file, workflowId, problem }, action }) => {
    const result = byFile.get(file);
    const error = result && failureOf(result);
    const failure = error === undefined ? problem : describeError(error).message;
    return {
      file,
      workflowId: result?.workflowId ?? workflowId ?? null,
      action,
      ...(results && { done: result?.kind === 'done' }),
      ...(failure === undefined ? {} : { message: failure }),
    };
  });
}

/** What is said of a number of workflows, or of the only one by its file. */
interface DoneWords {
  readonly nothing: () => string;
  readonly one: (file: string) => string;
  readonly several: (count: number) => string;
}

function describeDone(done: readonly Done[], { nothing, one, several }: DoneWords): string {
  const [first, ...others] = done.filter(({ step }) => step.action !== 'nothing' || step.deploys);
  if (first === undefined)
    return done.length === 0
      ? nothing()
      : vscode.l10n.t('{0} has the new names of the files.', workflowsFileName);
  return others.length === 0 ? one(first.step.compared.file) : several(others.length + 1);
}

/** The sentence for what was done, such as "2 workflows were pushed to staging." */
export function describePushed(environment: string): (done: readonly Done[]) => string {
  return (done) =>
    describeDone(done, {
      nothing: () => vscode.l10n.t('Nothing was pushed to {0}.', environment),
      one: (file) => vscode.l10n.t('"{0}" was pushed to {1}.', file, environment),
      several: (count) => vscode.l10n.t('{0} workflows were pushed to {1}.', count, environment),
    });
}

export function describePromoted(environment: string): (done: readonly Done[]) => string {
  return (done) =>
    describeDone(done, {
      nothing: () => vscode.l10n.t('Nothing was promoted to {0}.', environment),
      one: (file) => vscode.l10n.t('"{0}" was promoted to {1}.', file, environment),
      several: (count) => vscode.l10n.t('{0} workflows were promoted to {1}.', count, environment),
    });
}

export function describePulled(environment: string): (done: readonly Done[]) => string {
  return (done) =>
    describeDone(done, {
      nothing: () => vscode.l10n.t('Nothing was pulled from {0}.', environment),
      one: (file) => vscode.l10n.t('"{0}" was pulled from {1}.', file, environment),
      several: (count) => vscode.l10n.t('{0} workflows were pulled from {1}.', count, environment),
    });
}
