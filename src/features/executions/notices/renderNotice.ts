// The text of a notice about one or several executions that have ended.
import * as vscode from 'vscode';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../base/format.ts';
import { wordOfStatus } from '../../../words/status.ts';
import type { Execution } from '../../../domain/execution.ts';
import { formatDuration } from '../../../words/time.ts';

/** "probable": the service doesn't say which execution the window started. */
export type Certainty = 'certain' | 'probable';

export interface Ending {
  readonly target: ExecutionTarget;
  readonly execution: Execution;
  /** The workflow's name, sanitized for display. */
  readonly name: string;
  readonly certainty: Certainty;
}

export interface Notice {
  readonly text: string;
  readonly failed: readonly Ending[];
}

const shownNames = 3;
/** In characters: a notification stands over other things. */
const shownReason = 120;

function isFailed({ execution }: Ending): boolean {
  return execution.status.state === 'failed';
}

function renderOne({ name, execution }: Ending): string {
  const { status, error, durationMs } = execution;
  const word = wordOfStatus(status);
  if (error !== null)
    return vscode.l10n.t('"{0}" {1}: {2}', name, word, plainLine(error.message, shownReason));
  return durationMs === null
    ? vscode.l10n.t('"{0}" {1}.', name, word)
    : vscode.l10n.t('"{0}" {1} in {2}.', name, word, formatDuration(durationMs));
}

/** '"Signup check" ×2, "Order totals"': each name once, with "…" if there are more. */
function listNames(endings: readonly Ending[]): string {
  const counts = new Map<string, number>();
  for (const { name } of endings) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].map(([name, count]) => (count === 1 ? `"${name}"` : `"${name}" ×${count}`));
  const more = names.length > shownNames ? ', …' : '';
  return names.slice(0, shownNames).join(', ') + more;
}

function renderSeveral(endings: readonly Ending[], failed: readonly Ending[]): string {
  const isFailure = failed.length > 0;
  const names = listNames(isFailure ? failed : endings);
  if (failed.length === endings.length)
    return vscode.l10n.t('{0} executions failed: {1}.', endings.length, names);
  return isFailure
    ? vscode.l10n.t('{0} executions ended, {1} of them failed: {2}.', endings.length, failed.length, names)
    : vscode.l10n.t('{0} executions ended: {1}.', endings.length, names);
}

/** Adds that the executions are only probably the user's, if the service doesn't say for sure. */
function withDoubt(text: string, endings: readonly Ending[]): string {
  const probable = endings.filter(({ certainty }) => certainty === 'probable').length;
  if (probable === 0) return text;
  return probable === endings.length
    ? vscode.l10n.t('Probably yours: {0}', text)
    : vscode.l10n.t('{0} {1} of them might not be yours.', text, probable);
}

/** endings: at least one. */
export function renderNotice(endings: readonly Ending[]): Notice {
  const failed = endings.filter(isFailed);
  const [first] = endings;
  const text =
    first !== undefined && endings.length === 1 ? renderOne(first) : renderSeveral(endings, failed);
  return { text: withDoubt(text, endings), failed };
}
