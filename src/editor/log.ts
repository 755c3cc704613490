// The extension's own log. Keys are redacted in every line.
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { redact } from '../base/secrets.ts';
import { channelNames } from './ids.ts';

export interface ExtensionLog extends Logger, Disposable {
  readonly show: () => Promise<void>;
}

/** Includes the chain of causes. */
function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  return `\n${error.stack ?? error.message}${describe(error.cause, depth + 1)}`;
}

export function createExtensionLog(): ExtensionLog {
  const channel = vscode.window.createOutputChannel(channelNames.extension, { log: true });
  return {
    debug: (message) => channel.debug(redact(message)),
    info: (message) => channel.info(redact(message)),
    warn: (message) => channel.warn(redact(message)),
    error: (message, cause) => channel.error(redact(message + describe(cause))),
    show: () => {
      channel.show(true);
      return Promise.resolve();
    },
    dispose: () => channel.dispose(),
  };
}
