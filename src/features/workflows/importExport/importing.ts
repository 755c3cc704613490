// Imports one definition after the other; the good ones are in, each bad one is named, one message sums it up.
import * as vscode from 'vscode';
import type { Logger } from '../../../base/logger.ts';
import { isServiceError } from '../../../domain/serviceError.ts';
import type { WorkflowActions } from '../../../model/workflows/workflowActions.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import { plainLine } from '../../../editor/format.ts';
import { commandId } from '../../../editor/ids.ts';
import { withProgress } from '../../../editor/prompts.ts';
import { eachInTurn, type Outcome } from './eachInTurn.ts';
import type { ImportSource } from './importSources.ts';
import { showMessage } from '../../../editor/messages.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import type { App } from '../../../ui/app.ts';

export interface ImportDeps extends Pick<App, 'logger'> {
  readonly actions: Pick<WorkflowActions, 'import'>;
}

/** Failures that are not about the one definition: the rest would fail in the same way, one slow attempt after the other. */
export function endsAll(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  return !['invalid', 'tooLarge', 'conflict', 'notFound'].includes(error.reason.kind);
}

const shownFailures = 5;

/** The lines of a summary for those that failed or were not tried; the first is the sum. */
export function describeRest(outcome: Outcome<unknown>, now: number): readonly string[] {
  const { failed, untried } = outcome;
  const lines = failed
    .slice(0, shownFailures)
    .map(({ name, error }) => `“${name}”: ${describeError(error, now).message}`);
  if (failed.length > shownFailures)
    lines.push(vscode.l10n.t('{0} more failed; the log names them.', failed.length - shownFailures));
  if (untried > 0) lines.push(vscode.l10n.t('{0} not tried.', untried));
  return lines;
}

/** What a person is told once it is over. */
export function summarizeImport(outcome: Outcome<string>, now: number): string {
  const [first = ''] = outcome.done;
  const count = outcome.done.length;
  const sum =
    count === 0
      ? vscode.l10n.t('Nothing was imported.')
      : count === 1
        ? vscode.l10n.t('“{0}” was imported.', first)
        : vscode.l10n.t('{0} workflows were imported.', count);
  return [sum, ...describeRest(outcome, now)].join(' ');
}

/** Shows a summary; where something failed, as a warning with a way to the log, which has all of it. */
export async function showSummary(summary: string, outcome: Outcome<unknown>, logger: Logger): Promise<void> {
  if (outcome.failed.length === 0) {
    await showMessage('information', summary);
    return;
  }
  for (const { name, error } of outcome.failed) logger.warn(`${name}: ${describeError(error, 0).message}`);
  const picked = await showMessage('warning', summary, [{ title: vscode.l10n.t('Show Log') }]);
  if (picked !== undefined) await vscode.commands.executeCommand(commandId('showLog'));
}

/** What is being done now, for the progress. */
export function describeStep(name: string, place: number, count: number): string {
  return count === 1 ? name : vscode.l10n.t('{0} of {1}: {2}', place + 1, count, name);
}

/** Imports into one connection, whichever becomes active meanwhile. */
export async function importSources(
  { actions, logger }: ImportDeps,
  connectionId: string,
  sources: readonly ImportSource[],
): Promise<readonly Workflow[]> {
  const imported: Workflow[] = [];
  const outcome = await withProgress(vscode.l10n.t('Importing workflows'), (signal, report) =>
    eachInTurn(
      sources,
      async (source) => {
        const workflow = await actions.import(connectionId, await source.read(), signal);
        imported.push(workflow);
        return plainLine(workflow.name, 80);
      },
      {
        signal,
        endsAll,
        onBegin: (name, place) =>
          report(describeStep(name, place, sources.length), place === 0 ? 0 : 100 / sources.length),
      },
    ),
  );
  void showSummary(summarizeImport(outcome, Date.now()), outcome, logger);
  return imported;
}
