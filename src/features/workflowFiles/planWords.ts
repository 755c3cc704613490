// What the steps of a plan are called.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import type { PlanStep } from '../../workflowFiles/plan.ts';

/** Of nodes, or other names, before the rest is counted. */
const shownNames = 6;

export interface StepWords {
  /** A codicon's name. */
  readonly icon: string;
  readonly action: string;
  /** What is missing on the other side; undefined: nothing is. */
  readonly needs: string | undefined;
}

export function describeStep(step: PlanStep, environment: string): StepWords {
  return { ...describeAction(step), needs: describeNeeds(step, environment) };
}

function describeAction(step: PlanStep): Omit<StepWords, 'needs'> {
  const described = describeChange(step);
  const { renamedFrom } = step.compared;
  if (renamedFrom === undefined) return described;
  const renamed = vscode.l10n.t('renamed from "{0}"', plainLine(renamedFrom, 80));
  return step.action === 'nothing'
    ? { icon: 'file-symlink-file', action: renamed }
    : { ...described, action: `${renamed}; ${described.action}` };
}

function describeChange({ action, changes, difference, compared }: PlanStep): Omit<StepWords, 'needs'> {
  switch (action) {
    case 'create':
      return {
        icon: 'add',
        action: changes === 'file' ? vscode.l10n.t('new file') : vscode.l10n.t('new workflow'),
      };
    case 'update': {
      const names = difference && [...difference.nodes, ...difference.members];
      return {
        icon: 'edit',
        action:
          names === undefined ? vscode.l10n.t('update') : vscode.l10n.t('update: {0}', listNames(names)),
      };
    }
    case 'delete':
      return { icon: 'trash', action: vscode.l10n.t('delete the file') };
    case 'conflict':
      return {
        icon: 'warning',
        action: compared.problem ?? describeConflict(compared),
      };
    case 'nothing':
      return { icon: 'check', action: vscode.l10n.t('nothing to do') };
  }
}

function describeConflict({ state, candidates }: PlanStep['compared']): string {
  if (candidates.length > 0)
    return state === 'only here'
      ? vscode.l10n.t('may be {0} under another name: decide first', listNames(candidates))
      : vscode.l10n.t('may be {0} now: decide first', listNames(candidates));
  return state === 'deleted there'
    ? vscode.l10n.t('deleted there: decide first')
    : vscode.l10n.t('both changed: decide first');
}

function describeNeeds({ needs }: PlanStep, environment: string): string | undefined {
  const sentences = [];
  if (needs !== undefined && needs.secrets.length > 0)
    sentences.push(vscode.l10n.t('Needs these secrets on {0}: {1}.', environment, listNames(needs.secrets)));
  if (needs !== undefined && needs.credentials.length > 0)
    sentences.push(
      vscode.l10n.t('Needs these credentials on {0}: {1}.', environment, listNames(needs.credentials)),
    );
  if (needs !== undefined && needs.workflows.length > 0)
    sentences.push(
      vscode.l10n.t("Calls workflows that {0} doesn't have: {1}.", environment, listNames(needs.workflows)),
    );
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Names from outside, with how many more there are. */
function listNames(names: readonly string[]): string {
  const shown = names
    .slice(0, shownNames)
    .map((name) => plainLine(name, 40))
    .join(', ');
  const rest = names.length - shownNames;
  return rest > 0 ? vscode.l10n.t('{0} and {1} more', shown, rest) : shown;
}
