// Where and why a session stops.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { plainText } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import type { FoundStop } from './search.ts';

/** The node run from which a retry goes on, in the same iterations of the loops around it. */
type Retried = Pick<NodeRun, 'nodeId' | 'iteration'>;

/** What somebody can write. "breakpoint": the first one, or else as "start". */
export const stopsAt = ['start', 'failure', 'breakpoint'] as const;

/** Where a session stops first. */
export type StopAt = (typeof stopsAt)[number] | { readonly retried: Retried };

/** Why it stops. */
export type Stopped = Omit<DebugProtocol.StoppedEvent['body'], 'threadId' | 'allThreadsStopped'>;

/** A stop, and why. */
export interface StopPosition {
  readonly item: RunItem;
  readonly stopped: Stopped;
}

export function isRetried({ run }: RunItem, { nodeId, iteration }: Retried): boolean {
  return run.nodeId === nodeId && run.iteration.join() === iteration.join() && run.reusedFrom === null;
}

/** Returns undefined if there's no run to stop at. */
export function toStop(item: RunItem | undefined, stopped: Stopped): StopPosition | undefined {
  return item && { item, stopped };
}

export function stopFor({ item, stop }: FoundStop): StopPosition {
  return {
    item,
    stopped:
      stop.kind === 'failure'
        ? failureAt(item)
        : { reason: 'breakpoint', hitBreakpointIds: [...stop.breakpointIds] },
  };
}

export function failureAt({ run }: RunItem): Stopped {
  return {
    reason: 'exception',
    description: vscode.l10n.t('Paused on a failed node'),
    text: plainText(run.error?.message ?? ''),
  };
}

export const paused = (): Stopped => ({ reason: 'pause', description: vscode.l10n.t('Paused') });
export const atFirst = (): string => vscode.l10n.t('Paused on the first node run');
export const atLast = (): string => vscode.l10n.t('Paused on the last node run');
export const nothingRecorded = (): PlainError =>
  new PlainError(vscode.l10n.t('The service recorded no node runs for this execution.'));
