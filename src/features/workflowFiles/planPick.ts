// A plan before it's carried out: one row for each file, with what changes. What isn't checked isn't done.
import * as vscode from 'vscode';
import { checkRows, type CheckRow } from '../../editor/prompts/checkRows.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import type { Plan, PlanStep } from '../../workflowFiles/plan.ts';
import type { FilesDeps } from './filesDeps.ts';
import { describeStep } from './planWords.ts';

export interface PlanChoice {
  /** The files that were checked, conflicts among them. */
  readonly files: ReadonlySet<string>;
  /** What is pushed is deployed, too. */
  readonly deploys: boolean;
}

interface PlanQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** Whether deploying is offered, and checked at first. undefined: it isn't offered. */
  readonly deploys?: boolean;
  /** Above the conflicts. */
  readonly conflicts: string;
  /** Default: all but conflicts. */
  readonly isChecked?: (step: PlanStep) => boolean;
  /** Shows the difference behind a step. */
  readonly look: (step: PlanStep) => Promise<unknown>;
}

/** The steps that do something, or that wait for a decision. */
export function dueSteps({ steps }: Plan): readonly PlanStep[] {
  return steps.filter(
    ({ action, deploys, compared }) => action !== 'nothing' || deploys || compared.renamedFrom !== undefined,
  );
}

/** The plan for some of its files alone. What is the same stays, since it's noted. */
export function narrowPlan(plan: Plan, files: ReadonlySet<string>): Plan {
  const steps = plan.steps.flatMap((step) => {
    if (files.has(step.compared.file)) return [step];
    const isNoted = step.action === 'nothing' && step.compared.renamedFrom === undefined;
    return isNoted ? [{ ...step, deploys: false, keepsMine: false }] : [];
  });
  return { ...plan, steps };
}

/** What can be done at once, and the files that are decided about first. */
export function splitConflicts(plan: Plan): {
  readonly rest: Plan;
  readonly conflicts: readonly ComparedFile[];
} {
  return {
    rest: { ...plan, steps: plan.steps.filter(isNoConflict) },
    conflicts: plan.steps.flatMap((step) => (isNoConflict(step) ? [] : step.compared)),
  };
}

/** Rejects with Cancelled on Escape. */
export async function choosePlan(
  { commands }: Pick<FilesDeps, 'commands'>,
  plan: Plan,
  { title, placeholder, conflicts, deploys, isChecked = isNoConflict, look }: PlanQuestion,
): Promise<PlanChoice> {
  const toRow = (step: PlanStep): CheckRow<string | null> => {
    const { icon, action, needs } = describeStep(step, plan.environment);
    return {
      icon,
      label: step.compared.file,
      description: action,
      ...(needs === undefined ? {} : { detail: needs }),
      value: step.compared.file,
      isChecked: isChecked(step),
      look: {
        tooltip: vscode.l10n.t('Show Difference'),
        run: async () => {
          await look(step);
        },
      },
    };
  };
  const due = dueSteps(plan);
  const deployRow: CheckRow<string | null> = {
    icon: 'rocket',
    label: vscode.l10n.t('Deploy afterwards'),
    value: null,
    isChecked: deploys === true,
  };
  const checked = await checkRows<string | null>(
    { title, placeholder, present: (error) => commands.present(error) },
    [
      { heading: '', rows: due.filter(isNoConflict).map(toRow) },
      { heading: conflicts, rows: due.filter((step) => !isNoConflict(step)).map(toRow) },
      { heading: vscode.l10n.t('Then'), rows: deploys === undefined ? [] : [deployRow] },
    ],
  );
  return {
    files: new Set(checked.filter((value) => value !== null)),
    deploys: checked.includes(null),
  };
}

function isNoConflict({ action }: PlanStep): boolean {
  return action !== 'conflict';
}
