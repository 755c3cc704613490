// Sends a test event to the local service.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { askText } from '../../editor/prompts/prompts.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';

type SendEventDeps = Pick<App, 'commands' | 'connections' | 'portalEvents' | 'services'>;

interface InboundEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** Returns the id of the local connection. Throws a PlainError if another connection is active, because only the local service accepts events. */
function localConnectionId({ connections, services }: SendEventDeps): string {
  const connection = requireActiveConnection(connections);
  if (connection.kind === 'local') return connection.id;
  services.demand(connection.id, 'portalEvents');
  throw new PlainError(vscode.l10n.t('Portal events can be sent only to the local service.'), [
    { label: vscode.l10n.t('Switch to the Local Service'), command: 'localService.start' },
  ]);
}

async function askEvent(deps: SendEventDeps): Promise<InboundEvent> {
  localConnectionId(deps);
  const type = await askText({
    prompt: vscode.l10n.t('Type of the event, without the prefix "portal."'),
    placeHolder: 'order.received',
    validate: (text) =>
      /^[A-Za-z0-9_.-]{1,93}$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('Use letters, digits, ".", "_" and "-", at most 93.'),
  });
  const data = await askText({
    prompt: vscode.l10n.t('Data of the event as a JSON object'),
    value: '{ }',
    validate: (text) =>
      isJsonObject(parseJson(text)) ? undefined : vscode.l10n.t("This isn't a JSON object yet."),
  });
  const parsed = parseJson(data);
  return { type, data: isJsonObject(parsed) ? parsed : {} };
}

export function registerSend(deps: SendEventDeps): Disposable {
  return deps.commands.register('portalEvents.send', {
    ask: () => askEvent(deps),
    run: async ({ type, data = {}, workflowId }) => {
      const about = workflowId === undefined ? {} : { workflowId };
      return { eventIds: await deps.portalEvents.send(localConnectionId(deps), { type, data, ...about }) };
    },
  });
}
