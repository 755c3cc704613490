// Every error is met as a person meets it, read off the screen where it stands, checked, and photographed; this is how.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { page } from '../page.ts';
import { until } from '../until.ts';
import { describeError } from '../../../src/ui/words/describeError.ts';

/** One error: how it is brought about, and what a person then sees. */
export interface Meeting {
  /** Brings it about, up to where nothing is left to do but to look. */
  readonly meet: () => PromiseLike<unknown>;
  /** What stands on the screen; more may follow it, such as the service's own words. */
  readonly words: string;
  /** The buttons beside it, left to right; none by default. */
  readonly buttons?: readonly string[];
  /** What must not stand beside it. */
  readonly never?: string;
  /** Where it stands, as a selector; a notification by default. */
  readonly place?: string;
}

export type Meetings = Readonly<Record<string, Meeting>>;

/** The same, each with the button that leads to the log. */
export const withLog = (meetings: Meetings): Meetings =>
  Object.fromEntries(
    Object.entries(meetings).map(([name, row]) => [name, { ...row, buttons: ['Show Log'] }]),
  );

/** The open Quick Pick or input box. */
export const quickPick = '.quick-input-widget';
const notification = '.notifications-center .notification-list-item';
/** Sentences of ours, and at most 300 characters of the service's. */
const maximumLength = 600;

/** Shows an error by the door that every command's errors go through: for what no test can bring about. */
export function show(error: Error): Promise<void> {
  const unused = () => assert.fail('Only shows errors.');
  const deps = { logger: silentLogger, describe: describeError };
  void new Commands({ ...deps, activeConnectionId: unused, findSubject: unused }).present(error);
  return Promise.resolve();
}

/** Leaves whatever is asked. */
export async function closeQuestion(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await page.waitUntilGone(`${quickPick} input:focus`);
}

/** Taking one takes as long as meeting the error. */
export const arePicturesWanted = process.env['WORKFLOW_TEST_PICTURES'] !== undefined;

/** What VS Code itself says of a save that takes longer than 3 s, as one does whose question stands. */
const isOfSaving = (text: string): boolean => text.startsWith("Saving '");

/** It is the only notification of ours, and nothing in it can be clicked but its buttons. */
async function seeNotification(name: string, { words, never, buttons = [] }: Meeting): Promise<void> {
  // Progress that has come to its end may stand there a moment longer.
  const all = await until(
    () => page.notifications(),
    (texts) => {
      const [text, ...others] = texts.filter((each) => !isOfSaving(each));
      return text?.includes(words) === true && others.length === 0;
    },
  );
  const text = all.find((each) => each.includes(words)) ?? '';
  assert.ok(text.length < maximumLength && (never === undefined || !text.includes(never)), text);
  const own = `${notification}:has-text(${JSON.stringify(words)})`;
  assert.deepEqual(await page.texts(`${own} .notification-list-item-message a`), []);
  const offered = await until(
    async () => (await page.texts(`${own} .monaco-button`)).map((label) => label.trim()),
    (labels) => labels.join() === buttons.join(),
  );
  if (!arePicturesWanted) return;
  // One without buttons is a single line until somebody unfolds it; by key, since a mouse would colour it.
  if (offered.length === 0) await page.press('ArrowRight');
  // As it looks before anybody turns to it.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await page.screenshot(`error ${name}`, own);
}

async function seePlace(name: string, place: string, { words, never }: Meeting): Promise<void> {
  const here = `${place}:has-text(${JSON.stringify(words)})`;
  const text = await page.text(here);
  assert.ok(never === undefined || !text.includes(never), text);
  await page.screenshot(`error ${name}`, here);
}

/** Nothing of what was met before is left. */
async function clear(): Promise<void> {
  const clearAndLook = async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    return page.notifications();
  };
  await until(clearAndLook, (all) => all.length === 0);
  await vscode.commands.executeCommand('notifications.hideList');
}

/** "keyRejected" as words. */
const readable = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A test for each: brought about, seen once, photographed. title: of the group in the pictures' names. */
export function meetEach(title: string, meetings: Meetings): readonly Meeting[] {
  for (const [key, meeting] of Object.entries(meetings)) {
    const name = readable(key);
    it(name, async () => {
      await clear();
      await meeting.meet();
      if (meeting.place === undefined) await seeNotification(`${title} ${name}`, meeting);
      else await seePlace(`${title} ${name}`, meeting.place, meeting);
    });
  }
  return Object.values(meetings);
}
