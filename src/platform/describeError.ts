// The words for every failure, once: what happened, why, and what helps.
import * as vscode from 'vscode';
import { LaunchError, type LaunchErrorReason } from '../domain/launchError.ts';
import { isServiceError } from '../domain/serviceError.ts';
import { describeServiceError } from './describeServiceError.ts';
import { plainLine } from './format.ts';
import type { CommandName } from './ids.ts';

/** A failure that was worded where it arose, in the person's language. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
  readonly remedies: readonly Remedy[];
  constructor(message: string, remedies: readonly Remedy[] = [], options?: ErrorOptions) {
    super(message, options);
    this.remedies = remedies;
  }
}

/** A button beside an error: it runs a command, for a connection where one is named, or shows a setting. */
export type Remedy =
  | { readonly label: string; readonly command: CommandName; readonly connectionId?: string }
  | { readonly label: string; readonly setting: string };

export interface ErrorDescription {
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

const showLog = (): Remedy => ({ label: vscode.l10n.t('Show Log'), command: 'showLog' });
const setDataAside = (): Remedy => ({
  label: vscode.l10n.t('Set Data Aside…'),
  command: 'localService.setDataAside',
});

function describeLaunchError(reason: LaunchErrorReason): string {
  switch (reason.kind) {
    case 'notStarted':
      return vscode.l10n.t('The local service could not be started: {0}', plainLine(reason.words));
    case 'dataDamaged':
      return vscode.l10n.t('The data of the local service cannot be read: {0}', plainLine(reason.words));
    case 'silent':
      return vscode.l10n.t('The local service was started, but did not answer within {0} s.', reason.seconds);
    case 'notEnded':
      return vscode.l10n.t(
        'The local service did not end when it was told to. Its process is {0}.',
        reason.pid,
      );
  }
}

export function describeError(error: unknown, now: number): ErrorDescription {
  if (isServiceError(error)) return describeServiceError(error, now);
  if (error instanceof PlainError) return { message: error.message, remedies: error.remedies };
  if (error instanceof LaunchError)
    return {
      message: describeLaunchError(error.reason),
      remedies: error.reason.kind === 'dataDamaged' ? [setDataAside(), showLog()] : [showLog()],
    };
  // The editor hands on errors of the system with their class in front.
  const words = plainLine(error instanceof Error ? error.message : String(error)).replace(/^Error: /, '');
  const message =
    error instanceof vscode.FileSystemError
      ? vscode.l10n.t('A file could not be read or written: {0}', words)
      : vscode.l10n.t('Something went wrong in the extension: {0}', words);
  return { message, remedies: [showLog()] };
}
