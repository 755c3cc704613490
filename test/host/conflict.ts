// The question that a save asks when somebody else changed the same workflow: a notification beside the comparison.
import type * as vscode from 'vscode';
import { page } from './page.ts';
import { until } from './until.ts';

const question = '.notifications-center .notification-list-item:has-text("was also changed on the service")';
const buttons = `${question} .monaco-button`;

/** A save that lasts until its question is answered. In an object, since a promise in a promise would be awaited too. */
export interface Saving {
  readonly saved: Thenable<boolean>;
}

/** Saves, and waits for the question. */
export async function saveIntoQuestion(document: vscode.TextDocument): Promise<Saving> {
  const saved = document.save();
  await until(
    () => page.notifications(),
    (all) => all.some((text) => text.includes('was also changed on the service')),
  );
  return { saved };
}

/** Its buttons, from left to right. */
export async function conflictButtons(): Promise<readonly string[]> {
  await page.notifications();
  return (await page.texts(buttons)).map((label) => label.trim());
}

/** Presses a button of the question. */
export async function answerConflict(label: 'Keep Mine' | 'Take Theirs' | 'Merge'): Promise<void> {
  await page.notifications();
  await page.click(`${buttons}:has-text("${label}")`);
}

/** Closes the question without an answer. It's selected first: the editor's own notification that it's saving may stand above, or come there. */
export async function closeConflict(): Promise<void> {
  await until(
    async () => {
      await page.notifications();
      if (await page.clickIfThere(`${question} .notification-list-item-message`)) await page.press('Delete');
      return page.texts(question);
    },
    ({ length }) => length === 0,
  );
}
