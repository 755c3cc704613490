// The commands on connections and the keys of services.
import * as v from 'valibot';
import { contextKeys } from '../../ids.ts';
import { asked, optional, optionalText, row } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { always, inView, not, rowIs, type When } from '../when.ts';
import { text } from './members.ts';

/** A connection from its own row, from a button or from code. */
const connection = { kind: row('connection'), connectionId: text };
const onConnection: When = [inView('connections'), rowIs('connection')];

export const connectionCommands = {
  'connection.add': {
    argument: v.object({
      name: asked(optionalText),
      baseUrl: asked(optionalText),
      apiKey: asked(optionalText),
      kind: optional(v.picklist(['service', 'n8n'])),
      mcpToken: optionalText,
    }),
    result: returns<{ readonly connectionId: string }>(),
    title: 'Connect to a Service…',
    icon: '$(plug)',
    palette: always,
    menus: [{ menu: 'view/title', groups: ['navigation@1'], when: [inView('connections')] }],
  },
  'connection.switch': {
    argument: v.object(connection),
    result: returns<{ readonly connectionId: string }>(),
    title: 'Switch Connection',
    icon: '$(arrow-swap)',
    menus: [
      {
        menu: 'view/title',
        groups: ['2_connection'],
        when: [inView('workflows'), contextKeys.hasConnection],
      },
      { menu: 'view/item/context', groups: ['inline@1'], when: [inView('connections'), rowIs('inactive')] },
      { menu: 'view/item/context', groups: ['1_use@1'], when: onConnection },
    ],
  },
  'connection.rename': {
    argument: v.object({ ...connection, name: asked(optionalText) }),
    result: returns<{ readonly connectionId: string; readonly name: string }>(),
    title: 'Rename Connection…',
    icon: '$(edit)',
    menus: [{ menu: 'view/item/context', groups: ['3_edit@1'], when: onConnection }],
  },
  'connection.remove': {
    argument: v.object(connection),
    result: returns<{ readonly connectionId: string }>(),
    title: 'Remove Connection…',
    icon: '$(trash)',
    menus: [{ menu: 'view/item/context', groups: ['4_remove@2'], when: onConnection }],
  },
  'connection.replaceKey': {
    argument: v.object({ ...connection, apiKey: asked(optionalText) }),
    result: returns<{ readonly connectionId: string }>(),
    title: 'Replace API Key…',
    icon: '$(key)',
    menus: [{ menu: 'view/item/context', groups: ['3_edit@2'], when: onConnection }],
  },
  'connection.replaceMcpToken': {
    /** An empty text removes the token. */
    argument: v.object({ ...connection, mcpToken: asked(optional(v.string())) }),
    result: returns<{ readonly connectionId: string; readonly hasMcpToken: boolean }>(),
    title: 'Replace MCP Token…',
    palette: [contextKeys.takesMcpToken],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['3_edit@3'],
        when: [inView('connections'), rowIs('takesMcpToken')],
      },
    ],
  },
  'connection.diagnose': {
    argument: v.object(connection),
    /** The report. */
    result: returns<string>(),
    title: 'Diagnose Connection',
    icon: '$(pulse)',
    menus: [{ menu: 'view/item/context', groups: ['1_use@2'], when: onConnection }],
  },
  'connection.setSettingsPage': {
    argument: v.object({ ...connection, settingsUrl: optionalText }),
    result: returns<{ readonly connectionId: string; readonly settingsUrl?: string }>(),
    title: 'Set API Key Page…',
    icon: '$(link)',
    palette: [contextKeys.hasConnection, not(contextKeys.isLocal)],
    menus: [
      { menu: 'view/item/context', groups: ['3_edit@4'], when: [inView('connections'), rowIs('remote')] },
    ],
  },
  'keyGuard.moveKey': {
    argument: v.object({
      uri: text,
      connectionId: asked(optionalText),
      /** In UTF-16 units. Without it, the first key in the text is meant. */
      offset: optional(v.number()),
    }),
    result: returns<{ readonly connectionId: string }>(),
    title: 'Move API Key to Secret Storage…',
    icon: '$(shield)',
    palette: ['editorIsOpen'],
  },
} satisfies Declarations;
