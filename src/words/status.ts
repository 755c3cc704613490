import * as l10n from '@vscode/l10n';
import type { RunState, Status } from '../domain/status.ts';
import { plainLine } from '../base/format.ts';

/** The word for a state; for an unknown state the service's own word, made safe. */
export function statusWord(state: RunState, word = ''): string {
  switch (state) {
    case 'queued':
      return l10n.t('queued');
    case 'running':
      return l10n.t('running');
    case 'waiting':
      return l10n.t('waiting');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'skipped':
      return l10n.t('skipped');
    case 'unknown':
      return plainLine(word, 40) || l10n.t('unknown');
  }
}

/** The same of a status, which may be that its end isn't known. */
export function wordOfStatus({ state, word, notKeptBy }: Status): string {
  return notKeptBy === undefined ? statusWord(state, word) : l10n.t('ended, not kept by {0}', notKeptBy);
}
