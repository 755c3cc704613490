// What can be done with all found executions at once: a plan with their number first, then one after the other, with progress.
import * as vscode from 'vscode';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { askInDialog, type DialogButton } from '../../../editor/prompts/dialogs.ts';
import { Cancelled, choose, withProgress } from '../../../editor/prompts/prompts.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { RetryDefinition } from '../../../model/workflows/retryDefinition.ts';
import { actOnAll, nameOfOne } from '../../../ui/actOnAll.ts';
import type { App } from '../../../ui/app.ts';
import { isCancellable, isRetryable } from '../../../words/executionWords.ts';
import { formats } from '../../../words/formats.ts';
import type { ShownSearch } from './shownSearch.ts';

export type ActDeps = Pick<
  App,
  'actions' | 'clock' | 'commands' | 'executions' | 'requestWaits' | 'services' | 'workflows'
>;

type Act = (target: ExecutionTarget, signal: AbortSignal) => Promise<unknown>;

/** One thing that can be done. The texts have the number of executions. */
interface Choice {
  readonly icon: string;
  readonly label: string;
  readonly accepts: (execution: Execution) => boolean;
  readonly question: (count: string) => string;
  readonly detail: string;
  readonly buttons: readonly DialogButton<Act>[];
  readonly progress: string;
  readonly done: (count: string) => string;
}

function retryChoice({ actions }: ActDeps): Choice {
  const retry =
    (definition: RetryDefinition): Act =>
    ({ connectionId, executionId }, signal) =>
      actions.retry({ connectionId, executionId }, { definition }, signal);
  return {
    icon: 'debug-continue',
    label: vscode.l10n.t('Retry from Failed Node…'),
    accepts: isRetryable,
    question: (count) => vscode.l10n.t('Retry {0} executions?', count),
    detail: vscode.l10n.t(
      'Each goes on from the node that failed, with what is deployed now, or with the definition that it ran.',
    ),
    buttons: [
      { label: vscode.l10n.t('Retry as Deployed'), value: retry('deployed') },
      { label: vscode.l10n.t('Retry as It Ran'), value: retry('same') },
    ],
    progress: vscode.l10n.t('Retrying…'),
    done: (count) => vscode.l10n.t('Executions retried: {0}.', count),
  };
}

function cancelChoice({ actions }: ActDeps): Choice {
  return {
    icon: 'debug-stop',
    label: vscode.l10n.t('Cancel…'),
    accepts: isCancellable,
    question: (count) => vscode.l10n.t('Cancel {0} executions?', count),
    detail: vscode.l10n.t('No other node begins; what has finished is kept.'),
    buttons: [
      {
        label: vscode.l10n.t('Cancel Executions'),
        value: ({ connectionId, executionId }, signal) =>
          actions.cancel({ connectionId, executionId }, signal),
      },
    ],
    progress: vscode.l10n.t('Cancelling…'),
    done: (count) => vscode.l10n.t('Executions cancelled: {0}.', count),
  };
}

function executeAgainChoice({ commands }: ActDeps): Choice {
  return {
    icon: 'debug-restart',
    label: vscode.l10n.t('Execute Again…'),
    accepts: () => true,
    question: (count) => vscode.l10n.t('Execute {0} executions again?', count),
    detail: vscode.l10n.t('Each with its own input, and with what is deployed now.'),
    buttons: [
      {
        label: vscode.l10n.t('Execute Again'),
        value: (target) => commands.run('execution.rerun', { ...target, isOneOfMany: true }),
      },
    ],
    progress: vscode.l10n.t('Executing…'),
    done: (count) => vscode.l10n.t('Executed again: {0}.', count),
  };
}

function createTestsChoice({ commands }: ActDeps): Choice {
  return {
    icon: 'beaker',
    label: vscode.l10n.t('Create Tests…'),
    accepts: ({ status }) => status.state === 'completed' || status.state === 'failed',
    question: (count) => vscode.l10n.t('Create {0} tests?', count),
    detail: vscode.l10n.t("Each is added to the file with its workflow's tests."),
    buttons: [
      {
        label: vscode.l10n.t('Create Tests'),
        value: (target) => commands.run('execution.createTest', target),
      },
    ],
    progress: vscode.l10n.t('Creating tests…'),
    done: (count) => vscode.l10n.t('Tests created: {0}.', count),
  };
}

/** What the service offers. */
function choicesFor(deps: ActDeps, connectionId: string): readonly Choice[] {
  const { services } = deps;
  return [
    ...(services.offers(connectionId, 'retry') ? [retryChoice(deps)] : []),
    ...(services.offers(connectionId, 'cancel') ? [cancelChoice(deps)] : []),
    executeAgainChoice(deps),
    createTestsChoice(deps),
  ];
}

/** Two that were found are compared at once, without a plan. */
type Chosen = 'compare' | { readonly choice: Choice; readonly targets: readonly Execution[] };

async function chooseAct(deps: ActDeps, connectionId: string, found: readonly Execution[]): Promise<Chosen> {
  const offered = choicesFor(deps, connectionId).flatMap((choice) => {
    const targets = found.filter(choice.accepts);
    return targets.length === 0 ? [] : [{ choice, targets }];
  });
  return choose<Chosen>(
    vscode.l10n.t('Select what to do with the found executions: {0}', formats.number(found.length)),
    [
      ...offered.map((each) => ({
        icon: each.choice.icon,
        label: each.choice.label,
        description: formats.number(each.targets.length),
        value: each,
      })),
      ...(found.length === 2
        ? [{ icon: 'diff', label: vscode.l10n.t('Compare'), value: 'compare' as const }]
        : []),
    ],
  );
}

/** The newest of each, as it is now. */
function foundNow({ executions }: ActDeps, search: ShownSearch): readonly Execution[] {
  const { connectionId = '', state } = search.shown.current ?? {};
  return (state?.found ?? []).map(
    (execution) => executions.find({ connectionId, executionId: execution.id }) ?? execution,
  );
}

function describeRest(search: ShownSearch): string | undefined {
  const { status, hasMore = false } = search.shown.current?.state ?? {};
  return status === 'ended' && !hasMore
    ? undefined
    : vscode.l10n.t("The search hasn't ended, so this is done only for what it has found so far.");
}

/** Asks what to do with all that the search in the view finds, and does it. Rejects with Cancelled on Escape. */
export async function actOnFound(deps: ActDeps, search: ShownSearch): Promise<void> {
  const { connectionId } = search.shown.current ?? {};
  if (connectionId === undefined) throw new PlainError(vscode.l10n.t('No search is shown.'));
  const { status, hasMore } = search.shown.current?.state ?? {};
  if (status === 'ended' && hasMore === true) {
    const title = vscode.l10n.t('Searching for all executions…');
    // What another search finds may be of another connection.
    if (!(await withProgress(title, (signal) => search.loadAll(signal)))) throw new Cancelled();
  }
  const found = foundNow(deps, search);
  if (found.length === 0) throw new PlainError(vscode.l10n.t('The search has found no executions.'));
  const chosen = await chooseAct(deps, connectionId, found);
  if (chosen === 'compare') {
    const [newer, older] = found;
    await deps.commands.run('execution.compare', {
      connectionId,
      executionId: older?.id ?? '',
      otherExecutionId: newer?.id ?? '',
    });
    return;
  }
  await carryOut(deps, connectionId, chosen.choice, chosen.targets, describeRest(search));
}

async function carryOut(
  deps: ActDeps,
  connectionId: string,
  { question, detail, buttons, progress, done }: Choice,
  executions: readonly Execution[],
  rest: string | undefined,
): Promise<void> {
  const count = formats.number(executions.length);
  const act = await askInDialog({
    question: question(count),
    detail: rest === undefined ? detail : `${detail} ${rest}`,
    buttons,
  });
  if (act === undefined) throw new Cancelled();
  const [first, ...others] = executions.map(({ id }) => ({ connectionId, executionId: id }));
  if (first === undefined) return;
  await actOnAll(deps, [first, ...others], {
    progress,
    nameOf: (target) => nameOfOne(deps, target),
    act,
    done: done(count),
  });
}
