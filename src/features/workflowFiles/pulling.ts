// Pull: what the service has goes into the files. Nothing is asked but which new files are wanted.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { showMessage } from '../../editor/prompts/prompts.ts';
import { type Plan, planPull, type PlanStep } from '../../workflowFiles/plan.ts';
import {
  carryOutForCode,
  carryOutForPerson,
  describePulled,
  type Planned,
  plannedFiles,
} from './carrying.ts';
import { chooseLinkedFile, compareFor, filesOf, openFor, requireFolder } from './folderChoice.ts';
import type { FilesDeps } from './filesDeps.ts';
import type { FolderStates } from './folderStates.ts';
import type { OpenComparison } from './openComparison.ts';
import { choosePlan, dueSteps, narrowPlan, splitConflicts } from './planPick.ts';
import { resolveFiles } from './resolving.ts';
import { offerToSave, saveFile } from './saveFiles.ts';

export function registerPull(deps: FilesDeps): Disposable {
  const { commands } = deps;
  return combine(
    commands.register('files.pull', {
      ask: () => Promise.resolve({}),
      run: async ({ folder, environment, files, theirs, dryRun }, { isInteractive }) => {
        const states = await requireFolder(deps, folder, isInteractive);
        if (isInteractive) return pullChosen(deps, states);
        const open = await openFor(deps, states, environment, new AbortController().signal);
        const whole = planPull(open.comparison, { decision: theirs === true ? 'theirs' : undefined });
        const plan = files === undefined ? whole : narrowPlan(whole, new Set(files));
        if (dryRun === true) return plannedFiles(plan);
        return plannedFiles(plan, await carryOutForCode(deps, plan, open));
      },
    }),
    commands.register('files.pullFile', {
      ask: () => chooseLinkedFile(deps),
      run: async (_argument, { isInteractive, selected }) => {
        const { states, uris, files } = await filesOf(deps, selected);
        if (isInteractive) for (const uri of uris) await saveFile(uri);
        const open = await compareFor(deps, states, isInteractive);
        const plan = narrowPlan(planPull(open.comparison), files);
        if (!isInteractive) return plannedFiles(plan, await carryOutForCode(deps, plan, open));
        return pullPlan(deps, states, plan, open);
      },
    }),
  );
}

async function pullChosen(deps: FilesDeps, states: FolderStates): Promise<Planned | undefined> {
  await offerToSave(deps.states, states);
  const environment = plainLine(states.folder.environment ?? '', 80);
  const open = await compareFor(deps, states, true);
  const plan = planPull(open.comparison);
  const isNew = ({ action }: PlanStep): boolean => action === 'create';
  if (!dueSteps(plan).some(isNew)) return pullPlan(deps, states, plan, open);
  // Who linked some workflows of a service may want no others.
  const isFirst = states.folder.file?.workflows.size === 0;
  const { files } = await choosePlan(deps, plan, {
    title: vscode.l10n.t('Pull from {0}', environment),
    placeholder: vscode.l10n.t('What is checked is pulled'),
    isChecked: (step) => step.action !== 'conflict' && (isFirst || !isNew(step)),
    conflicts: vscode.l10n.t('Decide First'),
    look: ({ compared }) => deps.versions.showDifference(states, compared, { preserveFocus: true }),
  });
  return pullPlan(deps, states, narrowPlan(plan, files), open);
}

/** Conflicts are decided after the rest is pulled. */
async function pullPlan(
  deps: FilesDeps,
  states: FolderStates,
  plan: Plan,
  open: OpenComparison,
): Promise<Planned | undefined> {
  const environment = plainLine(plan.environment, 80);
  if (dueSteps(plan).length === 0) {
    void showMessage(
      'information',
      vscode.l10n.t("There's nothing to pull: {0} has nothing newer.", environment),
    );
    return plannedFiles(plan, []);
  }
  const { rest, conflicts } = splitConflicts(plan);
  const results =
    dueSteps(rest).length === 0
      ? []
      : await carryOutForPerson(deps, rest, open, {
          title: vscode.l10n.t('Pulling from {0}', environment),
          describeDone: describePulled(environment),
        });
  const decided = await resolveFiles(deps, states, conflicts);
  return [...plannedFiles(rest, results), ...(decided ?? [])];
}
