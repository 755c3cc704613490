import * as l10n from '@vscode/l10n';
import type { ShownExecution } from '../../../model/executions/latestExecution.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { lensIcon, lensText } from './renderNodeLenses.ts';
import { shortId } from '../../../ui/words/names.ts';
import { formatAge, formatDuration } from '../../../ui/words/time.ts';

/** The text of the first lens; undefined while nothing is known. now: epoch milliseconds. */
export function renderExecutionLens(shown: ShownExecution, now: number): string | undefined {
  if (shown.kind === 'unknown') return undefined;
  if (shown.kind === 'none') return l10n.t('Not executed yet');
  const { status, startedAt, createdAt, durationMs, id } = shown.execution;
  const began = startedAt ?? createdAt;
  const words = [
    lensText(statusWord(status.state, status.word)),
    durationMs === null ? '' : formatDuration(durationMs),
    began === null ? '' : formatAge(began, now),
  ].filter((word) => word !== '');
  const icon = lensIcon(status.state, status.hasWarning);
  return `${icon} ${l10n.t('Latest execution {0}', lensText(shortId(id)))}: ${words.join(' · ')}`;
}
