// The address of an event's payload: it names connection and event; its path is only what the tab shows.
import * as vscode from 'vscode';
import type { PortalEventTarget } from '../../model/portalEvents/portalEventsState.ts';
import { documentPath } from '../../ui/addresses/documentPath.ts';
import { schemes } from '../../editor/ids.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { shortId } from '../../ui/words/names.ts';

/** workflow-event://connection/Connection/Type id.json?key */
export function eventUri(
  connectionId: string,
  connectionName: string,
  { type, id, key }: PortalEvent,
): vscode.Uri {
  return vscode.Uri.from({
    scheme: schemes.event,
    authority: connectionId,
    path: documentPath(connectionName, id === null ? type : `${type} ${shortId(id)}`, '.json'),
    query: key,
  });
}

/** The event that an address stands for; undefined for any other. */
export function eventTarget(uri: vscode.Uri): PortalEventTarget | undefined {
  if (uri.scheme !== schemes.event || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, key: uri.query };
}
