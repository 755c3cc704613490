// Why: the payload of a portal event as a read-only document: searchable, diffable, saveable.
import * as vscode from 'vscode';
import type { PortalEventReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonValue } from '../../base/json.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import type { LazyDocuments } from '../../platform/surfaces/lazySurfaces.ts';
import { eventTarget, eventUri } from './eventUri.ts';

export function toText(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Shows the payload and answers its address. */
export async function showPayload(connectionId: string, event: PortalEventReading): Promise<string> {
  const uri = eventUri(connectionId, event);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  return uri.toString();
}

export function fillEventDocuments(documents: LazyDocuments, portalEvents: PortalEvents): Disposable {
  return documents.fill({
    provideTextDocumentContent: async (uri, token) => {
      const target = eventTarget(uri);
      if (target === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        const event = await portalEvents.read(target, controller.signal);
        return toText(event?.raw ?? { gone: vscode.l10n.t('The service no longer keeps this event.') });
      } finally {
        subscription.dispose();
      }
    },
  });
}
