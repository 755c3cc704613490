// The path of a document says nothing to the code, but it is what tab, hover, breadcrumbs and the list of recent files show a person.
import type { Connections } from '../../model/connections/connections.ts';
import { fileName } from '../../editor/format.ts';

/** A name that a path can hold; dots alone would mean a place instead. */
function segment(name: string, fallback: string): string {
  const usable = fileName(name);
  return /^\.*$/.test(usable) ? fallback : usable;
}

/** "/Connection/Name.ending": two documents of one name are told apart by the service that they are of. ending: with its dot. */
export function documentPath(connectionName: string, name: string, ending: string): string {
  return `/${segment(connectionName, 'connection')}/${segment(name, 'document')}${ending}`;
}

/** What the person calls a connection; empty when it is gone. */
export function connectionName(connections: Connections, connectionId: string): string {
  return connections.find(connectionId)?.name ?? '';
}
