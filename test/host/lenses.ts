// After an edit the editor draws the lines of actions anew, and for a moment a click on a drawn one does nothing.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { page } from './page.ts';
import { until } from './until.ts';

/** Begins what a click on the first lens with this text does, once it is there; of the lenses with an argument of this name, if one is given. */
export async function pressLens(
  { uri }: Pick<vscode.TextDocument, 'uri'>,
  title: string,
  name?: string,
): Promise<void> {
  const lenses = (): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 100);
  const isNamed = (command: vscode.Command): boolean =>
    name === undefined ||
    command.arguments?.some((given) => v.is(v.looseObject({ name: v.literal(name) }), given)) === true;
  const named = (all: readonly vscode.CodeLens[]): vscode.Command | undefined =>
    all.map(({ command }) => command).find((command) => command?.title.includes(title) && isNamed(command));
  const command = named(await until(lenses, (all) => named(all) !== undefined));
  const given: readonly unknown[] = command?.arguments ?? [];
  void vscode.commands.executeCommand(command?.command ?? '', ...given);
}

/** How long a person waits before clicking again. */
const patienceMilliseconds = 3_000;

/** A drawn lens by a part of its text. */
export const drawnLens = (text: string): string => `.codelens-decoration :text(${JSON.stringify(text)})`;

/** The same, and ready for clicks: what the editor draws from memory, before it has asked again, is no link. */
export const lensLink = (text: string): string => `.codelens-decoration a:has-text(${JSON.stringify(text)})`;

/** How far a node's lens is above the line with its id, in pixels: less than three lines. That of the node before is six lines above. */
const nodeLensDistance = 60;

/** That of a node: the one right above the line with its id. On the page they stand in no order, and not all are drawn at once. */
export const nodeLensLink = (text: string, nodeId: string): string =>
  `${lensLink(text)}:above(.view-line:has-text(${JSON.stringify(`"id": "${nodeId}"`)}), ${nodeLensDistance})`;

/** Clicks on the first link that matches, and again where the click was lost, until what it brings is there. */
export async function clickLens(link: string, isBrought: () => boolean | Promise<boolean>): Promise<void> {
  let clickedAt = -Infinity;
  await until(async () => {
    const isDue = performance.now() - clickedAt > patienceMilliseconds;
    if (isDue && (await page.clickIfThere(link))) clickedAt = performance.now();
    return isBrought();
  }, Boolean);
}
