// The commands on the local service, its API keys and its secrets.
import * as v from 'valibot';
import type { JsonValue } from '../../../base/json.ts';
import { keyExpirations } from '../../../domain/apiKey.ts';
import { contextKeys } from '../../ids.ts';
import { asked, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { always, either, inDefinition, inView, never, not, rowIs } from '../when.ts';
import { nothing, text } from './members.ts';

export const localServiceCommands = {
  'localService.start': {
    argument: nothing,
    result: returns<{ readonly connectionId: string; readonly baseUrl: string }>(),
    title: 'Start the Local Service',
    icon: '$(play)',
    palette: [not(contextKeys.isLocalServiceRunning)],
    menus: [
      {
        menu: 'view/title',
        groups: ['2_local'],
        when: [inView('connections'), not(contextKeys.isLocalServiceRunning)],
      },
      {
        menu: 'view/item/context',
        groups: ['inline@2', '2_local@1'],
        when: [inView('connections'), rowIs('stopped')],
      },
    ],
  },
  'localService.stop': {
    argument: nothing,
    title: 'Stop the Local Service',
    icon: '$(debug-stop)',
    enablement: contextKeys.isLocalServiceRunning,
    menus: [
      {
        menu: 'view/title',
        groups: ['2_local'],
        when: [inView('connections'), contextKeys.isLocalServiceRunning],
      },
      { menu: 'view/item/context', groups: ['2_local@2'], when: [inView('connections'), rowIs('running')] },
    ],
  },
  'localService.setDataAside': {
    argument: nothing,
    result: returns<{
      readonly folder: string;
      readonly connectionId: string;
      readonly baseUrl: string;
    }>(),
    title: 'Archive Local Service Data…',
    palette: never,
  },
  'localService.reset': {
    argument: nothing,
    /** The new service, unless the user wants none. */
    result: returns<{ readonly connectionId: string; readonly baseUrl: string }>(),
    title: 'Reset the Local Service…',
    palette: [either(contextKeys.isLocal, contextKeys.isLocalServiceRunning)],
    menus: [
      { menu: 'view/item/context', groups: ['4_remove@1'], when: [inView('connections'), rowIs('local')] },
    ],
  },
  'apiKey.create': {
    argument: v.object({ name: text, expiration: v.picklist(keyExpirations) }),
    /** The record with the key. */
    result: returns<JsonValue>(),
    title: 'Create API Key…',
    icon: '$(add)',
    palette: [not(contextKeys['lacks.apiKeys'])],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@3', '2_local@3'],
        when: [inView('connections'), rowIs('running')],
      },
    ],
  },
  'apiKey.revoke': {
    argument: v.object({ keyId: text }),
    result: returns<{ readonly keyId: string }>(),
    title: 'Revoke API Key…',
    icon: '$(circle-slash)',
    palette: [not(contextKeys['lacks.apiKeys'])],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '1_key'],
        when: [inView('connections'), rowIs('usableKey')],
      },
    ],
  },
  'secret.create': {
    argument: v.object({
      name: asked(optionalText),
      value: asked(optionalText),
      /** The only ones that requests may take it to. Default: any. */
      origins: optional(v.array(text)),
    }),
    result: returns<{ readonly name: string }>(),
    title: 'Create Secret…',
    icon: '$(lock)',
    palette: always,
    menus: [
      { menu: 'view/item/context', groups: ['2_local@4'], when: [inView('connections'), rowIs('running')] },
    ],
  },
  'secret.replaceValue': {
    argument: v.object({
      name: text,
      value: asked(optionalText),
      /** Default: those that it has. */
      origins: optional(v.array(text)),
    }),
    result: returns<{ readonly name: string }>(),
    title: 'Replace Value of Secret…',
    icon: '$(edit)',
    palette: always,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '1_secret@1'],
        when: [inView('connections'), 'viewItem == secret'],
      },
    ],
  },
  'secret.delete': {
    argument: v.object({ name: text }),
    result: returns<{ readonly name: string }>(),
    title: 'Delete Secret…',
    icon: '$(trash)',
    palette: always,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['4_remove@1'],
        when: [inView('connections'), 'viewItem == secret'],
      },
    ],
  },
  'secret.moveToken': {
    argument: v.object({
      uri: text,
      name: asked(optionalText),
      /** In UTF-16 units. Without it, the first token in the headers is meant. */
      offset: optional(v.number()),
    }),
    result: returns<{ readonly name: string }>(),
    title: 'Move Token to a Secret…',
    palette: [inDefinition],
  },
} satisfies Declarations;
