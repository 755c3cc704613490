// Push: what the files say goes to the service, after the plan was seen.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { showMessage } from '../../editor/prompts/prompts.ts';
import { type Plan, planPush, type PlanStep } from '../../workflowFiles/plan.ts';
import {
  carryOutForCode,
  carryOutForPerson,
  confirmGuarded,
  describePushed,
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

export function registerPush(deps: FilesDeps): Disposable {
  return combine(
    deps.commands.register('files.push', {
      ask: () => Promise.resolve({}),
      run: async ({ folder, environment, files, deploy, mine, dryRun }, { isInteractive }) => {
        const states = await requireFolder(deps, folder, isInteractive);
        if (isInteractive) return pushChosen(deps, states);
        const open = await openFor(deps, states, environment, new AbortController().signal);
        const decision = mine === true ? ('mine' as const) : undefined;
        const whole = planPush(open.comparison, { decision, deploys: deploy ?? false });
        const plan = files === undefined ? whole : narrowPlan(whole, new Set(files));
        if (dryRun === true) return plannedFiles(plan);
        return plannedFiles(plan, await carryOutForCode(deps, plan, open));
      },
    }),
    registerPushFile(deps, 'files.pushFile', false),
    registerPushFile(deps, 'files.pushAndDeployFile', true),
  );
}

function registerPushFile(
  deps: FilesDeps,
  command: 'files.pushFile' | 'files.pushAndDeployFile',
  deploys: boolean,
): Disposable {
  return deps.commands.register(command, {
    ask: () => chooseLinkedFile(deps),
    run: async (_argument, { isInteractive, selected }) => {
      const { states, uris, files } = await filesOf(deps, selected);
      if (isInteractive) for (const uri of uris) await saveFile(uri);
      const open = await compareFor(deps, states, isInteractive);
      const plan = narrowPlan(planPush(open.comparison, { deploys }), files);
      if (!isInteractive) return plannedFiles(plan, await carryOutForCode(deps, plan, open));
      const { conflicts } = splitConflicts(plan);
      if (conflicts.length > 0) return resolveFiles(deps, states, conflicts);
      const due = dueSteps(plan);
      if (due.length === 0) return sayNothing(states, plan);
      // An update of what the user has just edited is the click itself; anything else is seen first.
      const isPlain = due.every(({ action, needs }) => action !== 'create' && isEmpty(needs));
      return isPlain ? pushNow(deps, states, plan, open) : pushPlan(deps, states, { plan, open, deploys });
    },
  });
}

function isEmpty(needs: PlanStep['needs']): boolean {
  return (
    needs === undefined || needs.secrets.length + needs.credentials.length + needs.workflows.length === 0
  );
}

async function pushChosen(deps: FilesDeps, states: FolderStates): Promise<Planned | undefined> {
  await offerToSave(deps.states, states);
  const open = await compareFor(deps, states, true);
  return pushPlan(deps, states, { plan: planPush(open.comparison), open, deploys: false });
}

interface Pushing {
  readonly plan: Plan;
  readonly open: OpenComparison;
  /** Whether deploying is checked at first. */
  readonly deploys: boolean;
}

/** Shows the plan, and carries out what stays checked. Conflicts that are checked are decided after it. */
async function pushPlan(
  deps: FilesDeps,
  states: FolderStates,
  { plan, open, deploys: isDeployChecked }: Pushing,
): Promise<Planned | undefined> {
  if (dueSteps(plan).length === 0) return sayNothing(states, plan);
  const environment = plainLine(plan.environment, 80);
  const { files, deploys } = await choosePlan(deps, plan, {
    title: vscode.l10n.t('Push to {0}', environment),
    placeholder: vscode.l10n.t('What is checked is pushed'),
    deploys: isDeployChecked,
    conflicts: vscode.l10n.t('Decide First'),
    look: ({ compared }) => deps.versions.showDifference(states, compared, { preserveFocus: true }),
  });
  const chosen = narrowPlan(planPush(open.comparison, { deploys }), files);
  const { rest, conflicts } = splitConflicts(chosen);
  const results = dueSteps(rest).length === 0 ? undefined : await pushNow(deps, states, rest, open);
  if (conflicts.length === 0) return results;
  return [...(results ?? []), ...((await resolveFiles(deps, states, conflicts)) ?? [])];
}

async function pushNow(
  deps: FilesDeps,
  states: FolderStates,
  plan: Plan,
  open: OpenComparison,
): Promise<Planned> {
  await confirmGuarded(states.folder, plan.environment);
  const environment = plainLine(plan.environment, 80);
  const results = await carryOutForPerson(deps, plan, open, {
    title: vscode.l10n.t('Pushing to {0}', environment),
    describeDone: describePushed(environment),
  });
  return plannedFiles(plan, results);
}

function sayNothing({ folder }: FolderStates, plan: Plan): Planned {
  void showMessage(
    'information',
    vscode.l10n.t("There's nothing to push: {0} has the same.", plainLine(folder.environment ?? '', 80)),
  );
  return plannedFiles(plan, []);
}
