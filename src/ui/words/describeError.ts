import * as vscode from 'vscode';
import {
  isConnectionError,
  isServiceError,
  LaunchError,
  type LaunchErrorReason,
} from '../../domain/errors.ts';
import { isAbortError } from '../../base/async.ts';
import { describeConnectionError } from './describeConnectionError.ts';
import { describeServiceError } from './describeServiceError.ts';
import { plainLine } from '../../editor/format.ts';
import { type ErrorAction, type ErrorDescription, PlainError } from '../../editor/plainError.ts';

const showLog = (): ErrorAction => ({ label: vscode.l10n.t('Show Log'), command: 'showLog' });
const setDataAside = (): ErrorAction => ({
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

/** Describes any error: what happened, why, and what helps. now: epoch milliseconds. */
export function describeError(error: unknown, now = Date.now()): ErrorDescription {
  if (isServiceError(error)) return describeServiceError(error, now);
  if (isConnectionError(error)) return describeConnectionError(error, now);
  if (error instanceof PlainError) return { message: error.message, actions: error.actions };
  if (error instanceof LaunchError)
    return {
      message: describeLaunchError(error.reason),
      actions: error.reason.kind === 'dataDamaged' ? [setDataAside(), showLog()] : [showLog()],
    };
  // Removes the class name that the editor puts in front of system errors.
  const words = plainLine(error instanceof Error ? error.message : String(error)).replace(/^Error: /, '');
  const message =
    error instanceof vscode.FileSystemError
      ? vscode.l10n.t('A file could not be read or written: {0}', words)
      : vscode.l10n.t('Something went wrong in the extension: {0}', words);
  return { message, actions: [showLog()] };
}

/** Returns an error with the described message, for places where the editor shows any thrown error. */
export function toUserError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError || (error instanceof Error && isAbortError(error)))
    return error;
  const { message, actions } = describeError(error);
  return new PlainError(message, actions, { cause: error });
}
