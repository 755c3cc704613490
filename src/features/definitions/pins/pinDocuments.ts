// The documents of pins and answers, opened by commands.
import * as vscode from 'vscode';
import type { App } from '../../../ui/app.ts';
import { type PinAddress, pinUri } from '../../../ui/addresses.ts';
import { connectionName } from '../../../words/names.ts';

/** `name`: of the node, where it's known. */
export function uriOfPin(
  { connections }: Pick<App, 'connections'>,
  { target, nodeId, kind }: PinAddress,
  name: string = nodeId,
): vscode.Uri {
  return pinUri(target, connectionName(connections, target.connectionId), { id: nodeId, name }, kind);
}

/** Returns the document's URI. */
export async function openPin({ pinFiles }: Pick<App, 'pinFiles'>, uri: vscode.Uri): Promise<string> {
  await vscode.window.showTextDocument(await pinFiles.open(uri), { preview: false });
  return uri.toString();
}
