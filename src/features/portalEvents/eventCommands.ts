import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { showPayload, toText } from './eventDocuments.ts';
import { type PickedEvent, pickEvent, readEvent } from './eventPicker.ts';
import type { App } from '../../ui/app.ts';

export type EventCommandsDeps = Pick<
  App,
  'commands' | 'connections' | 'workflows' | 'portalEvents' | 'eventDocuments' | 'clock'
>;

/** An input has to be an object, so other data becomes its member "data". */
function inputOf(data: JsonValue): JsonObject {
  return isJsonObject(data) ? data : { data };
}

async function copy(value: JsonValue, said: string, isInteractive: boolean): Promise<JsonValue> {
  await vscode.env.clipboard.writeText(toText(value));
  if (isInteractive) vscode.window.setStatusBarMessage(said, 3000);
  return value;
}

function registerExecuteWith(deps: EventCommandsDeps): Disposable {
  const { commands } = deps;
  return commands.register<'portalEvent.executeWith', PickedEvent>('portalEvent.executeWith', {
    ask: () => pickEvent(deps, vscode.l10n.t('Execute a workflow with which portal event?')),
    run: async (name, { isInteractive }) => {
      const { connectionId, event } = await readEvent(deps, name);
      const workflowId = 'workflowId' in name ? name.workflowId : undefined;
      const target = workflowId === undefined ? await pickWorkflow(deps) : { connectionId, workflowId };
      const argument = { ...target, input: inputOf(event.data) };
      return commands.run(
        'workflow.openInput',
        isInteractive ? { ...argument, invokedBy: 'person' } : argument,
      );
    },
  });
}

function registerList(deps: EventCommandsDeps): Disposable {
  const { commands, connections, portalEvents } = deps;
  return commands.registerPlain('portalEvents.list', async ({ isInteractive }) => {
    if (isInteractive) {
      const placeHolder = vscode.l10n.t('Choose a portal event to open its payload');
      await showPayload(deps, await pickEvent(deps, placeHolder));
      return undefined;
    }
    const items = await portalEvents.newest(requireActiveConnection(connections).id);
    return items.map(({ id, type, timestamp }) => ({
      id,
      type,
      timestamp: timestamp?.toISOString() ?? null,
    }));
  });
}

export function registerEventCommands(deps: EventCommandsDeps): Disposable {
  const { commands } = deps;
  const ask = () => pickEvent(deps, vscode.l10n.t('Choose a portal event'));
  return combine(
    commands.register<'portalEvent.open', PickedEvent>('portalEvent.open', {
      ask,
      run: async (name) => showPayload(deps, await readEvent(deps, name)),
    }),
    commands.register<'portalEvent.copyPayload', PickedEvent>('portalEvent.copyPayload', {
      ask,
      run: async (name, { isInteractive }) => {
        const { event } = await readEvent(deps, name);
        return copy(event.raw, vscode.l10n.t('Payload copied'), isInteractive);
      },
    }),
    commands.register<'portalEvent.copyAsInput', PickedEvent>('portalEvent.copyAsInput', {
      ask,
      run: async (name, { isInteractive }) => {
        const { event } = await readEvent(deps, name);
        return copy(inputOf(event.data), vscode.l10n.t('Input copied'), isInteractive);
      },
    }),
    registerExecuteWith(deps),
    registerList(deps),
  );
}
