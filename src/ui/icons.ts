// Each state has its own icon shape, so that users don't have to rely on colors.
import * as vscode from 'vscode';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { RunState } from '../domain/status.ts';

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

/** A handled failure looks like a warning. */
export function runIcon({ status, isHandled }: Pick<NodeRun, 'status' | 'isHandled'>): vscode.ThemeIcon {
  return statusIcon(status?.state ?? 'unknown', isHandled || status?.hasWarning);
}
