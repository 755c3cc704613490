// The payload of a portal event as a read-only document.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonValue } from '../../base/json.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import { showDocument, withSignal } from '../../editor/documents.ts';
import type { LazyDocuments } from '../../editor/lazySurfaces.ts';
import type { PickedEvent } from './eventPicker.ts';
import { toUserError } from '../../ui/words/describeError.ts';
import type { App } from '../../ui/app.ts';
import { connectionName } from '../../ui/words/names.ts';
import { eventTarget, eventUri } from '../../ui/addresses.ts';

export function toText(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export type PayloadDeps = Pick<App, 'connections' | 'eventDocuments'>;

/** Shows the payload and returns its URI. */
export async function showPayload(
  { connections, eventDocuments }: PayloadDeps,
  { connectionId, event }: PickedEvent,
): Promise<string> {
  const uri = eventUri(connectionId, connectionName(connections, connectionId), event);
  await showDocument(eventDocuments, uri);
  return uri.toString();
}

export function attachEventDocuments(documents: LazyDocuments, portalEvents: PortalEvents): Disposable {
  return documents.attach({
    provideTextDocumentContent: async (uri, token) => {
      const target = eventTarget(uri);
      if (target === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      try {
        const event = await withSignal(token, (signal) => portalEvents.read(target, signal));
        return toText(event?.raw ?? { gone: vscode.l10n.t('The service no longer keeps this event.') });
      } catch (error) {
        throw toUserError(error);
      }
    },
  });
}
