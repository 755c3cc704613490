// What is said of an execution that was started where the service doesn't report which one it is.
import * as vscode from 'vscode';
import type { Triggered } from '../../domain/execution.ts';
import { plainLine } from '../../editor/format.ts';

export function describeProbable(): string {
  return vscode.l10n.t(
    "The execution was started, but the service doesn't report which one it is. The newest one is probably yours and is followed.",
  );
}

const shownEventIds = 3;

/** The message if the execution can't be determined. It contains the event ids, by which the user can search on the service. */
export function describeUnknown({ eventIds }: Triggered): string {
  const sentence = vscode.l10n.t(
    "The execution was started, but the service doesn't report which one it is. Look at the newest executions.",
  );
  if (eventIds.length === 0) return sentence;
  const ids = eventIds.slice(0, shownEventIds).map((id) => plainLine(id, 80));
  const more = eventIds.length > shownEventIds ? ', …' : '';
  return `${sentence} ${vscode.l10n.t('Event: {0}', ids.join(', ') + more)}`;
}
