// Carries out a plan, while nobody else changes the folder.
import * as l10n from '@vscode/l10n';
import { abortReason } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ServiceError } from '../domain/errors.ts';
import { FilesError } from './filesError.ts';
import type { Plan, PlanStep } from './plan.ts';
import type { FilesFolder } from './ports.ts';
import { type StepResult, Steps, type StepsDeps } from './steps.ts';

export interface Watch {
  readonly onBegin?: (step: PlanStep) => void;
  readonly onEnd?: (result: StepResult) => void;
}

/**
 * Rejects with a FilesError if the folder can't be written, or if others change it or have done so since it was compared, and with the signal's
 * reason; what was done until then is agreed. Errors of the service are results.
 */
export async function carryOut(
  plan: Plan,
  deps: StepsDeps,
  signal: AbortSignal,
  watch: Watch = {},
): Promise<readonly StepResult[]> {
  const lock = await lockFolder(deps.folder);
  try {
    // What is planned would do again what the other one has done.
    if (!(await deps.agreed.isCurrent()))
      throw new FilesError(
        l10n.t('Another push or pull has changed this folder meanwhile. Nothing was done; try again.'),
      );
    return await takeSteps(plan, deps, signal, watch);
  } finally {
    lock.dispose();
  }
}

/** Rejects with a FilesError while others change the folder. */
export async function lockFolder(folder: Pick<FilesFolder, 'lock'>): Promise<Disposable> {
  const lock = await folder.lock();
  if (lock !== undefined) return lock;
  throw new FilesError(
    l10n.t('Another push or pull is changing this folder. Nothing was done; try again when it has ended.'),
  );
}

async function takeSteps(
  plan: Plan,
  deps: StepsDeps,
  signal: AbortSignal,
  { onBegin, onEnd }: Watch,
): Promise<readonly StepResult[]> {
  const steps = new Steps(plan, deps, signal);
  await steps.settle();
  const results: StepResult[] = [];
  let isOver = false;
  for (const step of plan.steps) {
    if (signal.aborted) throw abortReason(signal);
    onBegin?.(step);
    const { workflowId } = step.compared;
    const result: StepResult = isOver ? { kind: 'notTried', step, workflowId } : await steps.take(step);
    isOver ||= result.kind === 'failed' && meetsAll(result.error);
    results.push(result);
    onEnd?.(result);
  }
  const finished: StepResult[] = [];
  for (const result of results) finished.push(await steps.finish(result));
  await deps.agreed.save();
  return finished;
}

const aboutAll = new Set(['keyMissing', 'keyRejected', 'secretStorage', 'unreachable', 'rateLimited']);

/** True for an error that isn't about one workflow. */
function meetsAll({ reason }: ServiceError): boolean {
  return aboutAll.has(reason.kind);
}
