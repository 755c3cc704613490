// Whatever can be wrong with a connection, with what is typed for one, and with the local service, is brought about once.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConnectionError,
  type ConnectionErrorReason,
  LaunchError,
  type LaunchErrorReason,
} from '../../../src/domain/errors.ts';
import type { CommandName } from '../../../src/editor/commands/names.ts';
import { BadConnection, fromMenu, fromPalette, someKey } from './badService.ts';
import { answering, refusing } from '../../support/servers.ts';
import { typeOver, write } from '../keyboard.ts';
import { addTo, connectionReasons, connectionVariants } from './n8nErrors.ts';
import { closeQuestion, meetEach, type Meeting, type Meetings, quickPick, show } from './meeting.ts';

let connection: BadConnection;

/** A text that an input box does not take. */
const typed = (begin: () => PromiseLike<unknown>, prompt: string, text: string) => ({
  place: quickPick,
  meet: async () => {
    await begin();
    await typeOver(prompt, text);
  },
});
const baseUrl = (text: string) =>
  typed(() => addTo('Workflow Service'), 'Base URL including the version', text);
const ofConnection = (name: CommandName, prompt: string, text: string) => ({
  place: quickPick,
  meet: () => {
    void fromMenu(name, connection.row);
    return typeOver(prompt, text);
  },
});

/** Types the address and the key of a new connection to the service that is there, which then answers the check. */
const connecting = (answer?: ReturnType<typeof answering>) => ({
  place: quickPick,
  meet: async () => {
    connection.answers = answer === undefined ? {} : { 'GET /workflows': answer };
    await addTo('Workflow Service');
    await write('Base URL including the version', connection.baseUrl);
    await write('API key', someKey);
    if (answer === undefined) await typeOver('Name of the connection', 'Billing');
  },
});

const reasons = {
  nameMissing: {
    ...ofConnection('connection.rename', 'New name of the connection', ' '),
    words: 'Enter a name for the connection.',
  },
  baseUrlUnreadable: {
    ...baseUrl('workflows'),
    words: 'Enter a URL such as https://example.com/api/v1.',
  },
  baseUrlInsecure: {
    ...baseUrl('http://example.com/v1'),
    words: 'The URL must start with https://, so that the API key is never sent unencrypted.',
  },
  baseUrlParts: {
    ...baseUrl('https://ada:secret@example.com/v1'),
    words: "The URL can't contain a user name or password.",
  },
  baseUrlVersionMissing: {
    ...baseUrl('https://example.com/api'),
    words: 'The URL must end with the version, for example /v1.',
  },
  keyPrefix: {
    ...ofConnection('connection.replaceKey', 'Replace API Key of Billing', 'sk_123'),
    words: 'API keys start with "svc_sk_" and contain no spaces.',
  },
  settingsUrl: {
    ...ofConnection(
      'connection.setSettingsPage',
      'URL of the page where API keys of Billing are created.',
      'http://example.com',
    ),
    words: 'The URL of the API key page must start with https://.',
  },
  duplicate: { ...connecting(), words: 'A connection with this name and URL already exists.' },
  keyRejected: {
    ...connecting(refusing(401, 'invalid_api_key', 'Unknown API key.')),
    words: 'The service rejected this API key: it was revoked, has expired, or belongs to another service.',
  },
  ...connectionReasons(() => connection),
  mcpTokenNotTaken: {
    meet: () => fromMenu('connection.replaceMcpToken', connection.row),
    words: 'Services of this kind take no MCP token.',
  },
  unverified: {
    ...connecting(refusing(500, 'internal_error', 'The database is locked.')),
    words:
      "Couldn't verify the key. The service failed (HTTP 500). The service says: The database is locked.",
  },
  notTheService: {
    ...connecting(answering(200, { hello: 'world' })),
    words: "The server at this URL isn't a workflow service. Check the URL and its version.",
  },
  // The folder of the extension under test is left as it is.
  notStored: {
    meet: () => show(new ConnectionError({ kind: 'notStored', error: new Error('ENOSPC: no space left') })),
    words: "The connections can't be stored: ENOSPC: no space left",
    buttons: ['Show Log'],
  },
  newerVersion: {
    meet: () => show(new ConnectionError({ kind: 'newerVersion' })),
    words: 'The connections were stored by a newer version of this extension.',
  },
  unknownConnection: {
    meet: () => fromMenu('connection.switch', { connectionId: 'gone' }),
    words: 'This connection was removed.',
    buttons: ['Connect to a Service…'],
  },
} satisfies Record<ConnectionErrorReason['kind'], Meeting>;

const variants: Meetings = {
  baseUrlWithQuery: {
    ...baseUrl('https://example.com/v1?a=b'),
    words: 'The URL can\'t contain a query ("?…").',
  },
  baseUrlWithFragment: {
    ...baseUrl('https://example.com/v1#a'),
    words: 'The URL can\'t contain a fragment ("#…").',
  },
  ...connectionVariants(() => connection),
  eventsOfAnotherService: {
    meet: () => fromPalette('portalEvents.send'),
    words: 'Portal events can be sent only to the local service.',
    buttons: ['Switch to the Local Service'],
  },
};

const withoutConnection: Meetings = {
  none: {
    meet: () => fromPalette('workflow.deploy'),
    words: "There's no connection yet.",
    buttons: ['Try the Local Service', 'Connect to a Service…'],
  },
};

const notRunning: Meetings = {
  stopped: {
    meet: () => fromPalette('apiKey.create'),
    words: "The local service isn't running. Keys of other services are created in their settings.",
    buttons: ['Start the Local Service'],
  },
  stoppedForSecrets: {
    meet: () => fromPalette('secret.create'),
    words: "The local service isn't running. Secrets are stored by it.",
    buttons: ['Start the Local Service'],
  },
};

/** Where the local service keeps its data in a VS Code under test. */
const storage = join(process.env['WORKFLOW_TEST_USER_DATA'] ?? '', 'User', 'globalStorage');
const dataFolder = join(storage, 'workflow-automation.workflow-automation', 'local-service');

async function startOnDamagedData(): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(join(dataFolder, 'service.db'), 'x'.repeat(5000));
  await fromPalette('localService.start');
  rmSync(dataFolder, { recursive: true, force: true });
}

async function startOnBlockedFolder(): Promise<void> {
  mkdirSync(join(dataFolder, 'service.db'), { recursive: true });
  await fromPalette('localService.start');
  rmSync(dataFolder, { recursive: true, force: true });
}

const launching = {
  notStarted: {
    meet: startOnBlockedFolder,
    words: "Couldn't start the local service: ",
    buttons: ['Show Log'],
  },
  dataDamaged: {
    meet: startOnDamagedData,
    words:
      'service.db is not a database of the service. Restore a copy of it, or move it away to start over.',
    buttons: ['Archive Data…', 'Show Log'],
  },
  // These take the time that a process is given.
  silent: {
    meet: () => show(new LaunchError({ kind: 'silent', seconds: 20 }, '')),
    words: "The local service started, but didn't respond within 20 s.",
    buttons: ['Show Log'],
  },
  notEnded: {
    meet: () => show(new LaunchError({ kind: 'notEnded', pid: 1234 }, '')),
    words: "The local service didn't stop (process 1234).",
    buttons: ['Show Log'],
  },
  // A VS Code under test has one window.
  inUse: {
    meet: () => show(new LaunchError({ kind: 'inUse' }, '')),
    words: 'Another window is using the local service. Stop it there, then try again.',
    buttons: ['Show Log'],
  },
} satisfies Record<LaunchErrorReason['kind'], Meeting>;

/** Its tests, first those of a VS Code that knows no service yet; and what is met in them. */
export function meetConnectionErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  describe('of the local service', () => {
    met.push(...meetEach('connection', withoutConnection));
    met.push(...meetEach('local', { ...notRunning, ...launching }));
  });
  describe('of a connection', () => {
    before(async () => {
      connection = await BadConnection.direct('Billing');
    });
    beforeEach(() => connection.behave());
    afterEach(closeQuestion);
    after(() => connection.close());
    met.push(...meetEach('connection', { ...reasons, ...variants }));
  });
  return met;
}
