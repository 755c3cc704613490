import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { plainLine } from '../../base/format.ts';
import { messageOf } from '../../base/reason.ts';
import { isConnectionError, isServiceError } from '../../domain/errors.ts';
import { type ErrorDescription, PlainError } from '../../editor/plainError.ts';
import { describeTypedError } from '../../words/describeTypedError.ts';

/** Returns the error that code gets for one. It names the right that the key lacks, as the message does, though the service says nothing of it. */
export function forCode(error: unknown): unknown {
  const isOfRight =
    isServiceError(error) && error.reason.kind === 'forbidden' && error.reason.right !== undefined;
  return isOfRight ? error.withMessage(describeError(error).message) : error;
}

/** Describes any error: what happened, why, and what helps. now: epoch milliseconds, by default those of the system's clock. */
export function describeError(error: unknown, now = Date.now()): ErrorDescription {
  if (error instanceof PlainError) {
    const { message, actions, kind } = error;
    return { message, actions, kind };
  }
  const described = describeTypedError(error, now);
  if (described !== undefined) return described;
  // Removes the class name that the editor puts in front of system errors.
  const words = plainLine(messageOf(error)).replace(/^Error: /, '');
  const message =
    error instanceof vscode.FileSystemError
      ? vscode.l10n.t("Couldn't read or write a file: {0}", words)
      : vscode.l10n.t('Something went wrong in the extension: {0}', words);
  return { message, actions: [{ label: vscode.l10n.t('Show Log'), command: 'showLog' }] };
}

/** Returns an error with the described message, for places where the editor shows any thrown error. */
export function toUserError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError || (error instanceof Error && isAbortError(error)))
    return error;
  const { message, actions } = describeError(error);
  return new PlainError(message, actions, { cause: error });
}

/** Returns the message of the error that `check` throws; undefined if it doesn't. check: throws a ConnectionError. */
export function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return describeError(error).message;
  }
}
