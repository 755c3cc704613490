// Each state has its own icon shape, so that users don't have to rely on colors.
import * as vscode from 'vscode';
import type { RunState, Status } from '../../domain/status.ts';
import { plainLine } from '../../editor/format.ts';

interface Look {
  readonly icon: string;
  readonly color?: string;
}

const looks: Readonly<Record<RunState, Look>> = {
  queued: { icon: 'circle-large-outline', color: 'testing.iconQueued' },
  running: { icon: 'loading~spin' },
  waiting: { icon: 'clock', color: 'testing.iconQueued' },
  completed: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'testing.iconFailed' },
  cancelled: { icon: 'circle-slash', color: 'testing.iconSkipped' },
  skipped: { icon: 'debug-step-over', color: 'testing.iconSkipped' },
  unknown: { icon: 'question', color: 'testing.iconUnset' },
};

export function statusIcon(state: RunState, hasWarning = false): vscode.ThemeIcon {
  const look: Look = hasWarning ? { icon: 'warning', color: 'list.warningForeground' } : looks[state];
  return new vscode.ThemeIcon(
    look.icon,
    look.color === undefined ? undefined : new vscode.ThemeColor(look.color),
  );
}

/** The word for a state; for an unknown state the service's own word, made safe. */
export function statusWord(state: RunState, word = ''): string {
  switch (state) {
    case 'queued':
      return vscode.l10n.t('queued');
    case 'running':
      return vscode.l10n.t('running');
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'completed':
      return vscode.l10n.t('completed');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
    case 'skipped':
      return vscode.l10n.t('skipped');
    case 'unknown':
      return plainLine(word, 40) || vscode.l10n.t('unknown');
  }
}

/** The same of a status, which may be that its end isn't known. */
export function wordOfStatus({ state, word, notKeptBy }: Status): string {
  return notKeptBy === undefined
    ? statusWord(state, word)
    : vscode.l10n.t('ended, not kept by {0}', notKeptBy);
}
