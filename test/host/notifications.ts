// Notifications are read and answered in the notification centre: under tests none pops up.
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { page } from './page.ts';
import { until } from './until.ts';

const itemOf = (words: string): string =>
  `.notifications-center .notification-list-item:has-text(${JSON.stringify(words)})`;

/** Waits until one says this. */
export async function untilNotified(words: string): Promise<void> {
  await until(
    () => page.notifications(),
    (all) => all.some((text) => text.includes(words)),
  );
}

/** Waits for the one that says this, and presses its button, until it's gone. To open the centre again would take the focus from what is asked then. */
export async function answerNotification(words: string, button: string): Promise<void> {
  await untilNotified(words);
  await clickUntil(
    `${itemOf(words)} .monaco-button:has-text(${JSON.stringify(button)})`,
    async () => (await page.texts(itemOf(words))).length === 0,
  );
}

/** Closes all. */
export async function clearNotifications(): Promise<void> {
  await until(
    async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return page.notifications();
    },
    (all) => all.length === 0,
  );
}
