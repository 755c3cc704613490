// Deploys for a person, and shows in the definition what the service refuses.
import * as vscode from 'vscode';
import { toSentence } from '../definition/definitionFault.ts';
import { ServiceError } from '../domain/errors.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import type { Workflow } from '../domain/workflow.ts';
import { plainLine } from '../base/format.ts';
import { PlainError } from '../editor/plainError.ts';
import { showMessage } from '../editor/prompts/prompts.ts';
import type { App } from './app.ts';
import { settleUnsavedEdits } from './pickers/openDefinition.ts';

/**
 * Asks about unsaved edits first. isElsewhere: gives new addresses to triggers that listen where those of another workflow do, and says so.
 * Rejects with an error for the user, or with Cancelled.
 */
export async function deployInteractively(
  { actions, commands, workflows }: Pick<App, 'actions' | 'commands' | 'workflows'>,
  target: WorkflowTarget,
  isElsewhere = false,
): Promise<Workflow> {
  actions.refuseArchived(target);
  await settleUnsavedEdits(target);
  try {
    return await (isElsewhere ? deployElsewhere(actions, target) : actions.deploy(target));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason.kind !== 'invalid') throw error;
    const name = plainLine(workflows.find(target)?.name ?? target.workflowId, 80);
    const message = vscode.l10n.t(
      'Can\'t deploy "{0}": {1}',
      name,
      describeFaults(error, error.reason.details),
    );
    // Who can't read the definition still sees the message.
    const shown = await commands.run('workflow.showProblems', target).catch(() => undefined);
    const showProblem = {
      label: vscode.l10n.t('Show Problem'),
      command: 'workflow.showProblems',
      argument: target,
    } as const;
    const deployAnyway = {
      label: vscode.l10n.t('Deploy with New Addresses'),
      command: 'workflow.deploy',
      argument: { ...target, isElsewhere: true },
    } as const;
    const { isAddressTaken = false } = error.reason;
    const buttons = [
      ...(isAddressTaken && !isElsewhere ? [deployAnyway] : []),
      ...(shown === undefined ? [] : [showProblem]),
    ];
    throw new PlainError(message, buttons, { cause: error });
  }
}

async function deployElsewhere(actions: App['actions'], target: WorkflowTarget): Promise<Workflow> {
  const { workflow, moved } = await actions.deployElsewhere(target);
  const triggers = moved.map(({ name, address }) => `"${plainLine(name, 60)}": ${plainLine(address, 120)}`);
  if (triggers.length > 0)
    void showMessage(
      'information',
      vscode.l10n.t(
        'Deployed with new addresses, which are saved in the definition: {0}',
        triggers.join(', '),
      ),
    );
  return workflow;
}

interface Detail {
  readonly path: string;
  readonly message: string;
}

/** The first fault in the service's words, with its path unless the service itself makes a sentence of it without. */
function describeFaults({ message }: ServiceError, [first, ...others]: readonly Detail[]): string {
  if (first === undefined) return plainLine(toSentence(message));
  const readsAlone = first.path === '' || message.startsWith(toSentence(first.message));
  const words = plainLine(readsAlone ? first.message : `${first.path}: ${first.message}`);
  const sentence = /[.!?…]$/.test(words) ? words : `${words}.`;
  return others.length === 0 ? sentence : `${sentence} ${moreProblems(others.length)}`;
}

/** How many problems there are besides the one that's named. */
export function moreProblems(count: number): string {
  return count === 1 ? vscode.l10n.t('1 more problem.') : vscode.l10n.t('{0} more problems.', count);
}
