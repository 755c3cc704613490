// Imports definitions one after the other and summarizes the result in one message.
import * as vscode from 'vscode';
import type { Logger } from '../../../base/logger.ts';
import { isServiceError } from '../../../domain/errors.ts';
import type { WorkflowActions } from '../../../model/workflows/workflowActions.ts';
import { describeError } from '../../../ui/words/describeError.ts';
import { plainLine } from '../../../editor/format.ts';
import { commandId } from '../../../editor/ids.ts';
import { showMessage, withProgress } from '../../../editor/prompts.ts';
import { eachInTurn, type Outcome } from './eachInTurn.ts';
import type { ImportSource } from './importSources.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import type { App } from '../../../ui/app.ts';

export interface ImportDeps extends Pick<App, 'logger'> {
  readonly actions: Pick<WorkflowActions, 'import'>;
}

/** True for failures that aren't about one definition: the remaining items would fail in the same way. */
export function endsAll(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  return !['invalid', 'tooLarge', 'conflict', 'notFound'].includes(error.reason.kind);
}

const shownFailures = 5;

/** The sentences of a summary about the items that failed or weren't tried. */
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

/** The message after an import. */
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

/** Shows a summary. If items failed, shows it as a warning with a button for the log, which contains every failure. */
export async function showSummary(summary: string, outcome: Outcome<unknown>, logger: Logger): Promise<void> {
  if (outcome.failed.length === 0) {
    await showMessage('information', summary);
    return;
  }
  for (const { name, error } of outcome.failed) logger.warn(`${name}: ${describeError(error, 0).message}`);
  const picked = await showMessage('warning', summary, [{ title: vscode.l10n.t('Show Log') }]);
  if (picked !== undefined) await vscode.commands.executeCommand(commandId('showLog'));
}

/** The current step, for the progress. */
export function describeStep(name: string, place: number, count: number): string {
  return count === 1 ? name : vscode.l10n.t('{0} of {1}: {2}', place + 1, count, name);
}

/** Imports into this connection, even if another one becomes active in the meantime. */
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
