// Why: the address of an event's payload: it names connection and event; its path is only what the tab shows.
import * as vscode from 'vscode';
import type { PortalEventReading } from '../../api/readings.ts';
import type { PortalEventTarget } from '../../model/portalEvents/portalEventsState.ts';
import { shortId } from '../../pickers/executionPicker.ts';
import { fileName } from '../../platform/format.ts';
import { schemes } from '../../platform/ids.ts';

/** workflow-event://connection/Type id.json?key */
export function eventUri(connectionId: string, { type, id, key }: PortalEventReading): vscode.Uri {
  const name = fileName(id === null ? type : `${type} ${shortId(id)}`);
  return vscode.Uri.from({
    scheme: schemes.event,
    authority: connectionId,
    path: `/${name === '' ? 'event' : name}.json`,
    query: key,
  });
}

/** The event that an address stands for; undefined for any other. */
export function eventTarget(uri: vscode.Uri): PortalEventTarget | undefined {
  if (uri.scheme !== schemes.event || uri.authority === '' || uri.query === '') return undefined;
  return { connectionId: uri.authority, key: uri.query };
}
