// While a command of the user waits for the limit of requests: how long it takes, with a way to cancel.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { wait } from '../../base/time.ts';
import { withProgress } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';
import { secondsUntil } from '../../ui/words/time.ts';

type LimitNoticeDeps = Pick<App, 'clock' | 'commands' | 'requestWaits'>;

const secondMs = 1000;

export function registerLimitNotice({ clock, commands, requestWaits }: LimitNoticeDeps): Disposable {
  const ended = new AbortController();
  let isShown = false;

  async function countDown(signal: AbortSignal, report: (message: string) => void): Promise<void> {
    signal.addEventListener('abort', () => requestWaits.cancelAll(), { once: true });
    for (;;) {
      const until = requestWaits.until.current;
      if (until === null || until <= clock.now()) return;
      report(vscode.l10n.t('Waiting for the request limit ({0} s)…', secondsUntil(until, clock.now())));
      await wait(clock, Math.min(secondMs, until - clock.now()), AbortSignal.any([signal, ended.signal]));
    }
  }

  async function show(): Promise<void> {
    if (isShown || requestWaits.until.current === null) return;
    isShown = true;
    try {
      await withProgress('', (signal, report) => countDown(signal, (message) => report(message, 0)));
    } catch (error) {
      await commands.present(error);
    } finally {
      isShown = false;
    }
  }

  return combine(
    requestWaits.until.onDidChange(() => void show()),
    { dispose: () => ended.abort() },
  );
}
