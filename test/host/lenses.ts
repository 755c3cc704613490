// After an edit the editor draws the lines of actions anew, and for a moment a click on a drawn one does nothing.
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { lineOf } from './inlineDefinition.ts';
import { until } from './until.ts';

/** Begins once what a click on the first lens with this text does, once it is there. nodeId: that of this node. */
export async function pressLens(
  document: vscode.TextDocument,
  title: string,
  nodeId?: string,
): Promise<void> {
  const lenses = (): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 100);
  const isOfNode = ({ range }: vscode.CodeLens): boolean =>
    nodeId === undefined || range.start.line === lineOf(document, nodeId);
  const named = (all: readonly vscode.CodeLens[]): vscode.Command | undefined =>
    all
      .filter(isOfNode)
      .map(({ command }) => command)
      .find((command) => command?.title.includes(title));
  const command = named(await until(lenses, (all) => named(all) !== undefined));
  const given: readonly unknown[] = command?.arguments ?? [];
  void vscode.commands.executeCommand(command?.command ?? '', ...given);
}

/** A drawn lens by a part of its text. */
export const drawnLens = (text: string): string => `.codelens-decoration :text(${JSON.stringify(text)})`;

/** The same, and ready for clicks: what the editor draws from memory, before it has asked again, is no link. */
export const lensLink = (text: string): string => `.codelens-decoration a:has-text(${JSON.stringify(text)})`;

/** How far a lens is above its line, in pixels: less than three lines. That of the node before is six lines above. */
const lensDistance = 60;

/** That right above the line with this text. On the page they stand in no order, and not all are drawn at once. */
export const lensAbove = (text: string, line: string): string =>
  `${lensLink(text)}:above(.view-line:has-text(${JSON.stringify(line)}), ${lensDistance})`;

/** That of a node, above the line with its id. */
export const nodeLensLink = (text: string, nodeId: string): string => lensAbove(text, `"id": "${nodeId}"`);

/** Clicks on the first link that matches until what it brings is there. */
export const clickLens = clickUntil;
