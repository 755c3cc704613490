// What can be done with one portal event: read it, copy it, execute a workflow with it.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { requireActiveConnection, textMember } from '../../ui/activeConnection.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { commandId } from '../../editor/ids.ts';
import { showPayload, toText } from './eventDocuments.ts';
import { decodeEventName, eventArgument, type EventName, pickEvent, readEvent } from './eventPicker.ts';
import type { App } from '../../ui/app.ts';

export type EventCommandsDeps = Pick<
  App,
  'commands' | 'connections' | 'workflows' | 'portalEvents' | 'eventDocuments' | 'clock'
>;

/** An input is an object; other data become its member "data". */
function inputOf(data: JsonValue): JsonObject {
  return isJsonObject(data) ? data : { data };
}

async function copy(value: JsonValue, said: string, isInteractive: boolean): Promise<JsonValue> {
  await vscode.env.clipboard.writeText(toText(value));
  if (isInteractive) vscode.window.setStatusBarMessage(said, 3000);
  return value;
}

function registerExecuteWith(deps: EventCommandsDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register<{ readonly name: EventName; readonly workflowId: string | undefined }, unknown>(
    'portalEvent.executeWith',
    {
      decode: (value) => {
        const name = decodeEventName(value, connections);
        return name && { name, workflowId: textMember(value, 'workflowId') };
      },
      expects: '{eventId, workflowId}',
      ask: async () => ({
        name: await pickEvent(deps, vscode.l10n.t('Execute a workflow with which portal event?')),
        workflowId: undefined,
      }),
      run: async ({ name, workflowId }, { isInteractive }) => {
        const { connectionId, event } = await readEvent(deps, name);
        if (!isInteractive && workflowId === undefined) throw new TypeError('workflowId is missing.');
        const target = workflowId === undefined ? await pickWorkflow(deps) : { connectionId, workflowId };
        return vscode.commands.executeCommand(commandId('workflow.openInput'), {
          ...target,
          input: inputOf(event.data),
          ...(isInteractive ? { invokedBy: 'person' } : {}),
        });
      },
    },
  );
}

export function registerEventCommands(deps: EventCommandsDeps): Disposable {
  const { commands, connections } = deps;
  const owned = new DisposableStore();
  owned.add(
    commands.register('portalEvent.open', {
      ...eventArgument(deps),
      run: async (name) => showPayload(deps, await readEvent(deps, name)),
    }),
  );
  owned.add(
    commands.register('portalEvent.copyPayload', {
      ...eventArgument(deps),
      run: async (name, { isInteractive }) => {
        const { event } = await readEvent(deps, name);
        return copy(event.raw, vscode.l10n.t('Payload copied'), isInteractive);
      },
    }),
  );
  owned.add(
    commands.register('portalEvent.copyAsInput', {
      ...eventArgument(deps),
      run: async (name, { isInteractive }) => {
        const { event } = await readEvent(deps, name);
        return copy(inputOf(event.data), vscode.l10n.t('Input copied'), isInteractive);
      },
    }),
  );
  owned.add(registerExecuteWith(deps));
  owned.add(
    commands.register('portalEvents.list', {
      decode: () => ({}),
      expects: '{}',
      ask: () => Promise.resolve({}),
      run: async (_query, { isInteractive }) => {
        if (isInteractive) {
          const placeHolder = vscode.l10n.t('Choose a portal event to open its payload');
          return showPayload(deps, await pickEvent(deps, placeHolder));
        }
        const items = await deps.portalEvents.newest(requireActiveConnection(connections).id);
        return items.map(({ id, type, timestamp }) => ({
          id,
          type,
          timestamp: timestamp?.toISOString() ?? null,
        }));
      },
    }),
  );
  return owned;
}
