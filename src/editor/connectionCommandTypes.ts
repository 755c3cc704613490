// The arguments of the commands on connections, keys and secrets, and of those without a kind of their own.
import * as v from 'valibot';
import { keyExpirations } from '../domain/apiKey.ts';
import { asked, optional, optionalText, row } from './commandArguments.ts';

export const text = v.pipe(v.string(), v.nonEmpty());
export const nothing = v.object({});
/** A row of any view, with all its members. Documents have no key. */
const anyRow = v.looseObject({ kind: text, key: text });
const connection = { kind: row('connection'), connectionId: text };

export const connectionSchemas = {
  'connection.add': v.object({
    name: text,
    baseUrl: text,
    apiKey: text,
    kind: optional(v.picklist(['service', 'n8n'])),
    mcpToken: optionalText,
  }),
  'connection.switch': v.object(connection),
  'connection.switchTo': v.object(connection),
  'connection.rename': v.object({ ...connection, name: asked(optionalText) }),
  'connection.remove': v.object(connection),
  'connection.replaceKey': v.object({ ...connection, apiKey: asked(optionalText) }),
  /** An empty text removes the token. */
  'connection.replaceMcpToken': v.object({ ...connection, mcpToken: asked(optional(v.string())) }),
  'connection.diagnose': v.object(connection),
  'connection.copyBaseUrl': v.object(connection),
  'connection.copyId': v.object(connection),
  'connection.setSettingsPage': v.object({ ...connection, settingsUrl: optionalText }),
  'connection.openSettingsPage': v.object(connection),
  'localService.start': nothing,
  'localService.stop': nothing,
  'localService.setDataAside': nothing,
  'localService.reset': nothing,
  'apiKey.create': v.object({ name: text, expiration: v.picklist(keyExpirations) }),
  'apiKey.revoke': v.object({ keyId: text }),
  'secret.create': v.object({
    name: asked(optionalText),
    value: asked(optionalText),
    /** The only ones that requests may take it to. Default: any. */
    origins: optional(v.array(text)),
  }),
  'secret.replaceValue': v.object({
    name: text,
    value: asked(optionalText),
    /** Default: those that it has. */
    origins: optional(v.array(text)),
  }),
  'secret.copyName': v.object({ name: text }),
  'secret.delete': v.object({ name: text }),
  'secret.moveToken': v.object({
    uri: text,
    name: asked(optionalText),
    /** In UTF-16 units. Without it, the first token in the headers is meant. */
    offset: optional(v.number()),
  }),
  'keyGuard.moveKey': v.object({
    uri: text,
    connectionId: asked(optionalText),
    /** In UTF-16 units. Without it, the first key in the text is meant. */
    offset: optional(v.number()),
  }),
  'row.open': anyRow,
  'row.execute': anyRow,
  'row.rename': anyRow,
  'row.delete': anyRow,
  'nodeTypes.open': nothing,
  'walkthrough.open': nothing,
  showLog: nothing,
};
