// The channel "Workflow Logs": rows of all followed executions, appended in one piece per turn of the event loop.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { channelNames } from '../../../editor/ids.ts';

export interface LogChannel extends Disposable {
  append(line: string): void;
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel(channelNames.logs, 'log');
  let pending: string[] = [];
  let isScheduled = false;
  const flush = (): void => {
    isScheduled = false;
    const lines = pending;
    pending = [];
    channel.append(`${lines.join('\n')}\n`);
  };
  return {
    append: (line) => {
      pending.push(line);
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(flush);
    },
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
