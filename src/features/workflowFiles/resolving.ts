// Resolve: what becomes of a file that both sides changed, or whose workflow was deleted. Only the file changes; a push sends it afterwards.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { equalJson, isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { mergeDefinitions } from '../../definition/mergeDefinitions.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose } from '../../editor/prompts/prompts.ts';
import { showStatusBarMessage } from '../../editor/prompts/statusBarMessage.ts';
import { askConflict, type ConflictDecision, type ConflictSides } from '../../ui/askConflict.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { planPull, planPush, type PlanStep } from '../../workflowFiles/plan.ts';
import { renderLike } from '../../workflowFiles/renderLike.ts';
import { carryOutForCode, type Planned, plannedFiles } from './carrying.ts';
import type { FilesDeps } from './filesDeps.ts';
import { chooseLinkedFile, compareFor, filesOf } from './folderChoice.ts';
import type { FolderStates } from './folderStates.ts';
import type { OpenComparison } from './openComparison.ts';
import { narrowPlan } from './planPick.ts';
import { saveFile } from './saveFiles.ts';

export function registerResolve(deps: FilesDeps): Disposable {
  return deps.commands.register('files.resolve', {
    ask: () => chooseLinkedFile(deps),
    run: async ({ how, ...row }, { isInteractive, selected }) => {
      const { states, uris, files } = await filesOf(deps, isInteractive ? selected : [row]);
      if (isInteractive) for (const uri of uris) await saveFile(uri);
      const { comparison } = await compareFor(deps, states, isInteractive);
      const compared = comparison.files.filter(({ file }) => files.has(file));
      if (!isInteractive && how !== undefined) {
        const [only] = compared;
        if (only === undefined) throw noConflict(uris[0]?.path ?? '');
        return carryDecision(deps, await compareFor(deps, states, false), only, how);
      }
      return resolveEach(deps, states, compared);
    },
  });
}

/** Asks for each conflict of a plan, one after the other. Returns what was done; undefined where nothing was decided. */
export function resolveFiles(
  deps: FilesDeps,
  states: FolderStates,
  conflicts: readonly PlanStep[],
): Promise<Planned | undefined> {
  return resolveEach(
    deps,
    states,
    conflicts.map(({ compared }) => compared),
  );
}

async function resolveEach(
  deps: FilesDeps,
  states: FolderStates,
  files: readonly ComparedFile[],
): Promise<Planned | undefined> {
  const done: Planned[number][] = [];
  for (const compared of files) {
    const decision = await askDecision(deps, states, compared);
    if (decision === undefined) continue;
    const open = await compareFor(deps, states, true);
    done.push(...(await carryDecision(deps, open, compared, decision)));
    showStatusBarMessage(describeDecided(compared, decision));
  }
  return done.length === 0 ? undefined : done;
}

async function askDecision(
  deps: FilesDeps,
  states: FolderStates,
  compared: ComparedFile,
): Promise<ConflictDecision | undefined> {
  const name = plainLine(compared.file, 80);
  const environment = plainLine(states.folder.environment ?? '', 80);
  if (compared.problem !== undefined) throw new PlainError(`${name}: ${compared.problem}`);
  if (compared.state === 'deleted there') return askDeleted(name, environment);
  await deps.versions.showDifference(states, compared);
  const choice = await askConflict(sidesOf(compared), [
    vscode.l10n.t('"{0}" was also changed on {1}.', name, environment),
    vscode.l10n.t("Left: the service's version. Right: your file. Nothing is sent until you push."),
  ]);
  return choice?.decision;
}

function askDeleted(name: string, environment: string): Promise<ConflictDecision> {
  return choose<ConflictDecision>(
    vscode.l10n.t('The workflow of "{0}" was deleted on {1}', name, environment),
    [
      {
        icon: 'add',
        label: vscode.l10n.t('Create Again'),
        detail: vscode.l10n.t('Creates a new workflow from your file.'),
        value: 'mine',
      },
      {
        icon: 'trash',
        label: vscode.l10n.t('Delete the File'),
        value: 'theirs',
      },
    ],
  );
}

/** Throws a PlainError for a file that isn't in conflict. */
function sidesOf({ file, here, there, agreement }: ComparedFile): ConflictSides {
  if (here === undefined || there === undefined) throw noConflict(file);
  const base = agreement === undefined ? undefined : parseJson(agreement.text);
  return { base: isJsonObject(base) ? base : undefined, mine: here, theirs: there };
}

function noConflict(file: string): PlainError {
  return new PlainError(vscode.l10n.t('"{0}" isn\'t in conflict.', plainLine(file, 120)));
}

/** Does what was decided for a file as it was seen. `open`: from after that. Throws a PlainError if either side has changed since. */
async function carryDecision(
  deps: FilesDeps,
  open: OpenComparison,
  seen: ComparedFile,
  decision: ConflictDecision,
): Promise<Planned> {
  const now = open.comparison.files.find(({ file }) => file === seen.file);
  if (now === undefined || !isAsSeen(now, seen))
    throw new PlainError(
      vscode.l10n.t('"{0}" has changed in the meantime. Nothing was done; decide again.', seen.file),
    );
  const isDeleted = now.state === 'deleted there';
  if (!isDeleted && now.state !== 'both changed') throw noConflict(seen.file);
  const files = new Set([now.file]);
  if (decision === 'merge') await open.opened.folder.write(now.file, mergedText(now));
  const plan =
    isDeleted && decision !== 'theirs'
      ? planPush(open.comparison, { decision: 'mine' })
      : planPull(open.comparison, { decision: decision === 'theirs' ? 'theirs' : 'mine' });
  const narrow = narrowPlan(plan, files);
  const results = await carryOutForCode(deps, narrow, open);
  const [failed] = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
  if (failed !== undefined) throw failed;
  return plannedFiles(
    { ...narrow, steps: narrow.steps.filter(({ compared }) => files.has(compared.file)) },
    results,
  );
}

function isAsSeen(now: ComparedFile, seen: ComparedFile): boolean {
  return now.text === seen.text && isSame(now.there, seen.there);
}

function isSame(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return one === undefined || other === undefined ? one === other : equalJson(one, other);
}

function mergedText(compared: ComparedFile): string {
  const { base, mine, theirs } = sidesOf(compared);
  if (base === undefined)
    throw new PlainError(
      vscode.l10n.t(
        'What "{0}" and the workflow last had in common isn\'t known, so nothing can be merged.',
        compared.file,
      ),
    );
  return renderLike(compared.text ?? '', mergeDefinitions(base, mine, theirs).definition);
}

function describeDecided({ file, state }: ComparedFile, decision: ConflictDecision): string {
  const name = plainLine(file, 80);
  if (decision === 'theirs')
    return state === 'deleted there'
      ? vscode.l10n.t('"{0}" was deleted.', name)
      : vscode.l10n.t('"{0}" has what the service has.', name);
  if (state === 'deleted there') return vscode.l10n.t('"{0}" was created again.', name);
  return decision === 'merge'
    ? vscode.l10n.t('"{0}" was merged. Push it when it\'s right.', name)
    : vscode.l10n.t('"{0}" stays as it is. Push it when it\'s right.', name);
}
