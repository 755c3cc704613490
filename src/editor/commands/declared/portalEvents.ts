// The commands on portal events.
import * as v from 'valibot';
import type { JsonValue } from '../../../base/json.ts';
import { contextKeys } from '../../ids.ts';
import { asked, noRow, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inConnectedView, inDocument, inView, never, not, rowIs } from '../when.ts';
import { connectionId, jsonObject, limit, nothing, text } from './members.ts';

const event = { eventId: text, connectionId };

export const portalEventCommands = {
  'portalEvents.list': {
    argument: v.object({ limit }),
    result: returns<
      readonly {
        readonly id: string | null;
        readonly type: string;
        readonly timestamp: string | null;
      }[]
    >(),
    title: 'List Portal Events…',
    icon: '$(bell)',
    palette: [contextKeys.hasConnection, not(contextKeys['lacks.portalEvents'])],
    menus: [{ menu: 'view/title', groups: ['1_list@1'], when: inConnectedView('portalEvents') }],
  },
  'portalEvents.refresh': {
    argument: nothing,
    title: 'Refresh Portal Events',
    icon: '$(refresh)',
    palette: [contextKeys.hasConnection, not(contextKeys['lacks.portalEvents'])],
    menus: [{ menu: 'view/title', groups: ['0_view@1'], when: inConnectedView('portalEvents') }],
  },
  'portalEvents.loadMore': {
    argument: nothing,
    title: 'Load More Portal Events',
    palette: never,
  },
  'portalEvents.filter': {
    argument: v.object({
      kind: noRow,
      type: optionalText,
      workflowId: optionalText,
      nodeEvents: optional(v.boolean()),
    }),
    result: returns<null>(),
    title: 'Filter Portal Events…',
    icon: '$(filter)',
    palette: [contextKeys.hasConnection, not(contextKeys['lacks.portalEvents'])],
    menus: [{ menu: 'view/title', groups: ['navigation@1'], when: inConnectedView('portalEvents') }],
  },
  'portalEvents.clearFilter': {
    argument: nothing,
    title: 'Clear Portal Events Filter',
    icon: '$(clear-all)',
    enablement: contextKeys.hasPortalEventFilter,
    menus: [
      {
        menu: 'view/title',
        groups: ['0_view@2'],
        when: [inView('portalEvents'), contextKeys.hasPortalEventFilter],
      },
    ],
  },
  'portalEvents.markAllRead': {
    argument: nothing,
    title: 'Mark All Portal Events as Read',
    icon: '$(check-all)',
    enablement: contextKeys.hasUnreadPortalEvents,
    menus: [{ menu: 'view/title', groups: ['2_read'], when: inConnectedView('portalEvents') }],
  },
  'portalEvents.send': {
    argument: v.object({ type: text, data: optional(jsonObject), workflowId: optionalText }),
    result: returns<{ readonly eventIds: readonly string[] }>(),
    title: 'Send Portal Event…',
    icon: '$(send)',
    palette: [contextKeys.isLocal],
    menus: [
      {
        menu: 'view/title',
        groups: ['3_send'],
        when: [...inConnectedView('portalEvents'), contextKeys.isLocal],
      },
    ],
  },
  'portalEvent.open': {
    argument: v.object(event),
    result: returns<string>(),
    title: 'Open Portal Event Payload',
    icon: '$(json)',
    palette: [contextKeys.hasConnection, not(contextKeys['lacks.portalEvents'])],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['1_read@1'],
        when: [inView('portalEvents'), rowIs('portalEvent')],
      },
    ],
  },
  'portalEvent.copyPayload': {
    argument: v.object(event),
    result: returns<JsonValue>(),
    title: 'Copy Portal Event Payload',
    icon: '$(copy)',
    palette: [inDocument('event')],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['2_copy@1'],
        when: [inView('portalEvents'), rowIs('portalEvent')],
      },
    ],
  },
  'portalEvent.executeWith': {
    argument: v.object({ ...event, workflowId: asked(optionalText) }),
    result: returns<string>(),
    title: 'Execute Workflow with Portal Event…',
    icon: '$(play)',
    palette: [contextKeys.hasConnection, not(contextKeys['lacks.portalEvents'])],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '3_run'],
        when: [inView('portalEvents'), rowIs('portalEvent')],
      },
    ],
  },
  'portalEvent.showExecution': {
    argument: v.object(event),
    result: returns<string>(),
    title: 'Show Execution',
    palette: [inDocument('event')],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['1_read@2'],
        when: [inView('portalEvents'), rowIs('ofExecution')],
      },
    ],
  },
} satisfies Declarations;
