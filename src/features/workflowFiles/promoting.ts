// Promote: what one environment has goes to another one, after the plan was seen. The files stay as they are.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, showMessage, withLateProgress } from '../../editor/prompts/prompts.ts';
import { planPromotion, type PlanStep } from '../../workflowFiles/plan.ts';
import { comparePromotion } from '../../workflowFiles/promote.ts';
import { workflowsFileName } from '../../workflowFiles/workflowsFile.ts';
import {
  carryOutForCode,
  carryOutForPerson,
  confirmGuarded,
  describePromoted,
  isGuarded,
  type Planned,
  plannedFiles,
} from './carrying.ts';
import type { FilesDeps } from './filesDeps.ts';
import { requireFolder } from './folderChoice.ts';
import type { FolderStates } from './folderStates.ts';
import { type OpenComparison, openLinked, requireService } from './openComparison.ts';
import { choosePlan, dueSteps, narrowPlan } from './planPick.ts';

interface Way {
  readonly from: string;
  readonly to: string;
}

export function registerPromote(deps: FilesDeps): Disposable {
  return deps.commands.register('files.promote', {
    ask: () => Promise.resolve({}),
    run: async ({ folder, from, to, files, deploy, dryRun, confirm }, { isInteractive }) => {
      const states = await requireFolder(deps, folder, isInteractive);
      if (isInteractive) return promoteChosen(deps, states);
      if (from === undefined || to === undefined) throw new TypeError('from and to are missing.');
      if (dryRun !== true) refuseGuarded(states, to, confirm);
      const wanted = files && new Set(files);
      const open = await compare(deps, states, { from, to }, wanted, new AbortController().signal);
      const plan = planPromotion(open.comparison, { deploys: deploy ?? false });
      return plannedFiles(plan, dryRun === true ? undefined : await carryOutForCode(deps, plan, open));
    },
  });
}

function refuseGuarded({ folder }: FolderStates, to: string, confirm: string | undefined): void {
  if (!isGuarded(folder, to) || confirm === to) return;
  throw new PlainError(vscode.l10n.t('"{0}" is guarded. Pass its name as "confirm".', plainLine(to, 80)));
}

async function promoteChosen(deps: FilesDeps, states: FolderStates): Promise<Planned | undefined> {
  const way = await askWay(states);
  const [from, to] = [plainLine(way.from, 80), plainLine(way.to, 80)];
  const open = await withLateProgress(deps, vscode.l10n.t('Comparing {0} with {1}…', from, to), (signal) =>
    compare(deps, states, way, undefined, signal),
  );
  const plan = planPromotion(open.comparison);
  if (dueSteps(plan).length === 0) {
    void showMessage(
      'information',
      vscode.l10n.t("There's nothing to promote: {0} has the same as {1}.", to, from),
    );
    return plannedFiles(plan, []);
  }
  const { files, deploys } = await choosePlan(deps, plan, {
    title: vscode.l10n.t('Promote from {0} to {1}', from, to),
    placeholder: vscode.l10n.t('What is checked is promoted'),
    conflicts: vscode.l10n.t('Would Overwrite Changes of {0}', to),
    deploys: false,
    look: (step) => showStep(deps, states, way, open, step),
  });
  // Who checks a conflict has decided.
  const chosen = narrowPlan(planPromotion(open.comparison, { decision: 'mine', deploys }), files);
  if (files.size === 0) return plannedFiles(chosen, []);
  await confirmGuarded(states.folder, way.to);
  const results = await carryOutForPerson(deps, chosen, open, {
    title: vscode.l10n.t('Promoting to {0}', to),
    describeDone: describePromoted(to),
  });
  return plannedFiles(chosen, results);
}

/** All ways, first those from the environment that the files are edited for. */
async function askWay({ folder }: FolderStates): Promise<Way> {
  const names = [...(folder.file?.environments.keys() ?? [])];
  const [first, ...others] = names;
  if (first === undefined || others.length === 0)
    throw new PlainError(
      vscode.l10n.t(
        'There\'s only one environment. Add the one to promote to in {0}: "environments" has a name and a "url" for each.',
        workflowsFileName,
      ),
    );
  const own = folder.environment ?? first;
  const froms = [own, ...names.filter((name) => name !== own)];
  const ways = froms.flatMap((from) =>
    names.filter((name) => name !== from).map((to): Way => ({ from, to })),
  );
  return choose(
    vscode.l10n.t('Select what is promoted to where'),
    ways.map((way) => ({
      icon: 'rocket',
      label: `${plainLine(way.from, 80)} → ${plainLine(way.to, 80)}`,
      description: isGuarded(folder, way.to) ? vscode.l10n.t('guarded') : '',
      detail: plainLine(folder.file?.environments.get(way.to)?.url ?? '', 200),
      value: way,
    })),
  );
}

async function compare(
  deps: FilesDeps,
  { folder }: FolderStates,
  way: Way,
  files: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<OpenComparison> {
  const { service: source } = requireService(deps, folder, way.from);
  const { service } = requireService(deps, folder, way.to);
  const from = { opened: await openLinked(folder, way.from), service: source };
  const opened = await openLinked(folder, way.to);
  const { comparison } = await comparePromotion(from, { opened, service }, files, signal);
  return { folder, comparison, opened, service };
}

async function showStep(
  deps: FilesDeps,
  states: FolderStates,
  { from, to }: Way,
  { service }: OpenComparison,
  { compared }: PlanStep,
): Promise<void> {
  const file = states.uriOf(compared.file);
  const source = requireService(deps, states.folder, from).service.connectionId;
  const workflowId = states.folder.file?.workflows.get(compared.file)?.get(from) ?? '';
  await deps.versions.showBetween(
    compared,
    { target: { connectionId: source, workflowId }, file, environment: from },
    {
      target: { connectionId: service.connectionId, workflowId: compared.workflowId ?? '' },
      file,
      environment: to,
    },
  );
}
