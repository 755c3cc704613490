// Resolve: what becomes of a file that both sides changed, or whose workflow was deleted. Only the file changes; a push sends it afterwards.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { equalJson, isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { mergeDefinitions } from '../../definition/mergeDefinitions.ts';
import { PlainError } from '../../editor/plainError.ts';
import { Cancelled, choose } from '../../editor/prompts/prompts.ts';
import { showStatusBarMessage } from '../../editor/prompts/statusBarMessage.ts';
import { askConflict, type ConflictDecision, type ConflictSides } from '../../ui/askConflict.ts';
import type { StepResult } from '../../workflowFiles/steps.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import { planPull, planPush, type PlanStep } from '../../workflowFiles/plan.ts';
import { renderLike } from '../../workflowFiles/renderLike.ts';
import { carryOutForCode, type Planned, plannedFiles } from './carrying.ts';
import type { FilesDeps } from './filesDeps.ts';
import { chooseLinkedFile, compareFor, filesOf } from './folderChoice.ts';
import type { FolderStates } from './folderStates.ts';
import type { OpenComparison } from './openComparison.ts';
import { askRename, noteRenames, type RenameDecision } from './renamedFiles.ts';
import { saveFile } from './saveFiles.ts';

interface DecidedFile {
  /** As the person saw it. */
  readonly compared: ComparedFile;
  readonly decision: ConflictDecision | RenameDecision;
}

export function registerResolve(deps: FilesDeps): Disposable {
  return deps.commands.register('files.resolve', {
    ask: () => chooseLinkedFile(deps),
    run: async ({ how, ...row }, { isInteractive, selected }) => {
      const { states, uris, files } = await filesOf(deps, isInteractive ? selected : [row]);
      if (isInteractive) for (const uri of uris) await saveFile(uri);
      const open = await compareFor(deps, states, isInteractive);
      const compared = open.comparison.files.filter(({ file }) => files.has(file));
      if (isInteractive || how === undefined) return resolveFiles(deps, states, compared);
      const [only] = compared;
      if (only === undefined) throw noConflict(uris[0]?.path ?? '');
      return carryDecisions(deps, open, [{ compared: only, decision: how }]);
    },
  });
}

/** Asks for each, then compares once and does what was decided. Escape ends the asking. Returns what was done; undefined where nothing was decided. */
export async function resolveFiles(
  deps: FilesDeps,
  states: FolderStates,
  files: readonly ComparedFile[],
): Promise<Planned | undefined> {
  const decided: DecidedFile[] = [];
  try {
    for (const compared of files) {
      const decision = await askDecision(deps, states, compared);
      if (decision !== undefined) decided.push({ compared, decision });
    }
  } catch (error) {
    if (!(error instanceof Cancelled) || decided.length === 0) throw error;
  }
  if (decided.length === 0) return undefined;
  const done = await carryDecisions(deps, await compareFor(deps, states, true), decided);
  for (const each of decided) showStatusBarMessage(describeDecided(each));
  return done;
}

async function askDecision(
  deps: FilesDeps,
  states: FolderStates,
  compared: ComparedFile,
): Promise<DecidedFile['decision'] | undefined> {
  const name = plainLine(compared.file, 80);
  const environment = plainLine(states.folder.environment ?? '', 80);
  if (compared.problem !== undefined) throw new PlainError(`${name}: ${compared.problem}`);
  if (compared.candidates.length > 0) return askRename(compared);
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

/**
 * Does what was decided for files as they were seen. `open`: from after that. Throws a PlainError if either side of a file has changed since; what was
 * decided before it is done.
 */
async function carryDecisions(
  deps: FilesDeps,
  open: OpenComparison,
  decided: readonly DecidedFile[],
): Promise<Planned> {
  const steps: PlanStep[] = [];
  const plan = { ...planPull(open.comparison), steps };
  let results: readonly StepResult[];
  try {
    for (const each of decided) steps.push(...(await decideFile(deps, open, each)));
  } finally {
    results = await carryOutForCode(deps, plan, open);
  }
  const [failed] = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
  if (failed !== undefined) throw failed;
  return plannedFiles(plan, results);
}

/** Returns what is to be carried out. */
async function decideFile(
  deps: FilesDeps,
  { comparison, opened, folder }: OpenComparison,
  { compared: seen, decision }: DecidedFile,
): Promise<readonly PlanStep[]> {
  const now = comparison.files.find(({ file }) => file === seen.file);
  if (now === undefined || !isAsSeen(now, seen))
    throw new PlainError(
      vscode.l10n.t('"{0}" has changed in the meantime. Nothing was done; decide again.', seen.file),
    );
  if (typeof decision === 'object') {
    await noteRenames(deps, folder.uri, [decision]);
    return [];
  }
  const isDeleted = now.state === 'deleted there';
  if (!isDeleted && now.state !== 'both changed' && now.candidates.length === 0) throw noConflict(seen.file);
  if (decision === 'merge') await opened.folder.write(now.file, mergedText(now));
  const isSent = (isDeleted && decision !== 'theirs') || now.state === 'only here';
  const { steps } = isSent
    ? planPush(comparison, { decision: 'mine' })
    : planPull(comparison, { decision: decision === 'theirs' ? 'theirs' : 'mine' });
  return steps.filter(({ compared }) => compared.file === now.file);
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

function describeDecided({ compared: { file, state }, decision }: DecidedFile): string {
  const name = plainLine(file, 80);
  if (typeof decision === 'object')
    return vscode.l10n.t('"{0}" is "{1}" now.', plainLine(decision.from, 80), plainLine(decision.to, 80));
  switch (state) {
    case 'only here':
      return vscode.l10n.t('"{0}" was created as a new workflow.', name);
    case 'only there':
      return vscode.l10n.t('"{0}" was written again.', name);
    case 'deleted there':
      return decision === 'theirs'
        ? vscode.l10n.t('"{0}" was deleted.', name)
        : vscode.l10n.t('"{0}" was created again.', name);
    default:
      return describeResolved(name, decision);
  }
}

function describeResolved(name: string, decision: ConflictDecision): string {
  if (decision === 'theirs') return vscode.l10n.t('"{0}" has what the service has.', name);
  return decision === 'merge'
    ? vscode.l10n.t('"{0}" was merged. Push it when it\'s right.', name)
    : vscode.l10n.t('"{0}" stays as it is. Push it when it\'s right.', name);
}
