// The commands on one portal event: passed by the tree, by its id from code, or else chosen by the user.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson, parseJson } from '../../base/json.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { copyText } from '../../editor/prompts/statusBarMessage.ts';
import { showDocument, withSignal } from '../../editor/documents/documents.ts';
import { joined, plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, withLateProgress, askText } from '../../editor/prompts/prompts.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { eventTarget, eventUri, requireAddress } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { passOn } from '../../editor/commands.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { toUserError } from '../../ui/words/describeError.ts';
import { connectionName, workflowName } from '../../words/names.ts';
import { formatAge } from '../../words/time.ts';
import { eventIcon } from './eventRows.ts';

type EventCommandsDeps = Pick<
  App,
  'commands' | 'connections' | 'workflows' | 'portalEvents' | 'eventDocuments' | 'clock' | 'requestWaits'
>;

interface PickedEvent {
  readonly connectionId: string;
  readonly event: PortalEvent;
}

const offered = 100;

/** Lets the user choose one of the newest events of the active connection. */
async function pickEvent(
  { connections, portalEvents, workflows, clock }: EventCommandsDeps,
  placeHolder: string,
): Promise<PickedEvent> {
  const connectionId = requireActiveConnection(connections).id;
  const choices = portalEvents.listWhole(connectionId, { limit: offered }).then((items) => {
    if (items.length === 0)
      throw new PlainError(vscode.l10n.t('The service has published no portal events yet.'));
    return items.map((event) => ({
      label: plainLine(event.type, 80),
      description: joined(
        [
          event.timestamp === null ? '' : formatAge(event.timestamp, clock.now()),
          event.workflowId === null ? '' : workflowName(workflows, connectionId, event.workflowId),
        ],
        ' · ',
      ),
      iconPath: eventIcon(event.type),
      value: event,
    }));
  });
  return { connectionId, event: await choose(placeHolder, choices) };
}

/** Returns the event, read by its id if necessary. Throws a PlainError if the service doesn't keep it. */
async function readEvent(
  { portalEvents }: EventCommandsDeps,
  target: PickedEvent | { readonly connectionId: string; readonly eventId: string },
): Promise<PickedEvent> {
  if ('event' in target) return target;
  const { connectionId, eventId } = target;
  const event = await portalEvents.read({ connectionId, key: eventId });
  if (event === undefined) throw new PlainError(vscode.l10n.t('The service no longer keeps this event.'));
  return { connectionId, event };
}

function toText(value: JsonValue): string {
  return `${stringifyJson(value, 2)}\n`;
}

/** Provides the payloads as read-only documents. */
function attachPayloads({ eventDocuments, portalEvents }: EventCommandsDeps): Disposable {
  return eventDocuments.attach({
    provideTextDocumentContent: async (uri, token) => {
      const target = requireAddress(uri, eventTarget);
      try {
        const event = await withSignal(token, (signal) => portalEvents.read(target, signal));
        return toText(event?.raw ?? { gone: vscode.l10n.t('The service no longer keeps this event.') });
      } catch (error) {
        throw toUserError(error);
      }
    },
  });
}

/** Shows the payload and returns its URI. */
async function showPayload(
  { connections, eventDocuments }: EventCommandsDeps,
  { connectionId, event }: PickedEvent,
): Promise<string> {
  const uri = eventUri(connectionId, connectionName(connections, connectionId), event);
  await showDocument(eventDocuments, uri);
  return uri.toString();
}

/** An input has to be an object, so other data becomes its member "data". */
function inputOf(data: JsonValue): JsonObject {
  return isJsonObject(data) ? data : { data };
}

function registerExecuteWith(deps: EventCommandsDeps): Disposable {
  const { commands } = deps;
  return commands.register<'portalEvent.executeWith', PickedEvent>('portalEvent.executeWith', {
    ask: () => pickEvent(deps, vscode.l10n.t('Select a portal event to execute a workflow with')),
    run: async (name, { isInteractive }) => {
      const { connectionId, event } = await readEvent(deps, name);
      const workflowId = 'workflowId' in name ? name.workflowId : undefined;
      const target = workflowId === undefined ? await pickWorkflow(deps) : { connectionId, workflowId };
      const argument = { ...target, input: inputOf(event.data) };
      return commands.run('workflow.openInput', passOn(argument, isInteractive));
    },
  });
}

/** Opens the execution that the event is about. */
function registerShowExecution(deps: EventCommandsDeps): Disposable {
  const { commands } = deps;
  return commands.register<'portalEvent.showExecution', PickedEvent>('portalEvent.showExecution', {
    ask: () => pickEvent(deps, vscode.l10n.t('Select a portal event')),
    run: async (name) => {
      const { connectionId, event } = await readEvent(deps, name);
      if (event.executionId === null)
        throw new PlainError(vscode.l10n.t("This event doesn't belong to an execution."));
      return commands.run('execution.open', { connectionId, executionId: event.executionId });
    },
  });
}

/** How many portal events code gets unless it says otherwise. */
const listedByDefault = 200;

function registerList(deps: EventCommandsDeps): Disposable {
  const { commands, connections, portalEvents } = deps;
  return commands.register('portalEvents.list', {
    ask: () => Promise.resolve({ limit: undefined }),
    run: async ({ limit = listedByDefault }, { isInteractive }) => {
      if (isInteractive) {
        const placeHolder = vscode.l10n.t('Select a portal event to open its payload');
        await showPayload(deps, await pickEvent(deps, placeHolder));
        return undefined;
      }
      const { id: connectionId } = requireActiveConnection(connections);
      const items = await withLateProgress(deps, vscode.l10n.t('Listing portal events…'), (signal) =>
        portalEvents.listWhole(connectionId, { limit, signal }),
      );
      return items.map(({ id, type, timestamp }) => ({
        id,
        type,
        timestamp: timestamp?.toISOString() ?? null,
      }));
    },
  });
}

export function registerEventCommands(deps: EventCommandsDeps): Disposable {
  const { commands } = deps;
  const ask = () => pickEvent(deps, vscode.l10n.t('Select a portal event'));
  return combine(
    attachPayloads(deps),
    commands.register<'portalEvent.open', PickedEvent>('portalEvent.open', {
      ask,
      run: async (name) => showPayload(deps, await readEvent(deps, name)),
    }),
    commands.register<'portalEvent.copyPayload', PickedEvent>('portalEvent.copyPayload', {
      ask,
      run: async (name) => {
        const { event } = await readEvent(deps, name);
        await copyText(toText(event.raw), vscode.l10n.t('Payload copied.'));
        return event.raw;
      },
    }),
    registerExecuteWith(deps),
    registerShowExecution(deps),
    registerList(deps),
  );
}

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
