// Whatever can be wrong with a connection, with what is typed for one, and with the local service, is brought about once.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConnectionError,
  type ConnectionErrorReason,
  LaunchError,
  type LaunchErrorReason,
} from '../../../src/domain/errors.ts';
import type { CommandName } from '../../../src/editor/ids.ts';
import { answering, BadConnection, fromMenu, fromPalette, refusing, someKey } from './badService.ts';
import { typeOver } from '../keyboard.ts';
import { closeQuestion, meetEach, type Meeting, type Meetings, quickPick, show } from './meeting.ts';

let connection: BadConnection;

/** A text that an input box does not take. */
const typed = (begin: () => Thenable<unknown>, prompt: string, text: string) => ({
  place: quickPick,
  meet: () => {
    void begin();
    return typeOver(prompt, text);
  },
});
const baseUrl = (text: string) => typed(() => fromPalette('connection.add'), 'Base URL of the service', text);
const ofConnection = (name: CommandName, prompt: string, text: string) =>
  typed(() => fromMenu(name, connection.row), prompt, text);

/** A connection to the service that is there, which then answers the check of the key. */
const adding = (answer?: ReturnType<typeof answering>) => () => {
  connection.answers = answer === undefined ? {} : { 'GET /workflows': answer };
  const name = answer === undefined ? 'Billing' : 'Another';
  void fromMenu('connection.add', { name, baseUrl: connection.baseUrl, apiKey: someKey });
  return Promise.resolve();
};

const reasons = {
  nameMissing: {
    ...ofConnection('connection.rename', 'New name of the connection', ' '),
    words: 'A connection needs a name.',
  },
  baseUrlUnreadable: {
    ...baseUrl('workflows'),
    words: 'The base URL is not a URL. It looks like https://example.com/api/v1.',
  },
  baseUrlInsecure: {
    ...baseUrl('http://example.com/v1'),
    words: 'The base URL must start with https://, so that the API key is never sent in clear.',
  },
  baseUrlParts: {
    ...baseUrl('https://ada:secret@example.com/v1'),
    words: 'The base URL must not have a user name or password.',
  },
  baseUrlVersionMissing: {
    ...baseUrl('https://example.com/api'),
    words: 'The base URL must end in the version, such as /v1.',
  },
  keyPrefix: {
    ...ofConnection('connection.replaceKey', 'API key of Billing', 'sk_123'),
    words:
      'This is not an API key of the service: keys start with "svc_sk_" and hold no spaces. Nothing was sent.',
  },
  settingsUrl: {
    ...ofConnection(
      'connection.setSettingsPage',
      'Where are the API keys of Billing made?',
      'http://example.com',
    ),
    words: 'The address of the settings page must start with https://.',
  },
  duplicate: { meet: adding(), words: 'There is a connection with this name and base URL already.' },
  keyRejected: {
    meet: adding(refusing(401, 'invalid_api_key', 'Unknown API key.')),
    words:
      'The service does not accept this API key: it was revoked, has expired, or belongs to another service.',
  },
  unverified: {
    meet: adding(refusing(500, 'internal_error', 'The database is locked.')),
    words: 'The service failed (HTTP 500). The service says: The database is locked.',
    place: quickPick,
  },
  notTheService: {
    meet: adding(answering(200, { hello: 'world' })),
    words: 'Something answers at this base URL, but not as a workflow service does.',
  },
  // The folder of the extension under test is left as it is.
  notStored: {
    meet: () => show(new ConnectionError({ kind: 'notStored', error: new Error('ENOSPC: no space left') })),
    words: "The connections can't be stored: ENOSPC: no space left",
    buttons: ['Show Log'],
  },
  newerVersion: {
    meet: () => show(new ConnectionError({ kind: 'newerVersion' })),
    words: 'The connections were stored by a newer version of this extension. They are kept as they are;',
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
    words: 'The base URL must not have a query ("?…").',
  },
  baseUrlWithFragment: {
    ...baseUrl('https://example.com/v1#a'),
    words: 'The base URL must not have a fragment ("#…").',
  },
  settingsPageUnknown: {
    meet: () => fromMenu('connection.openSettingsPage', connection.row),
    words: 'Where the keys of this service are made is not known here yet. Say it once.',
    buttons: ['Set the Page…'],
  },
  eventsOfAnotherService: {
    meet: () => fromPalette('portalEvents.send'),
    words: 'Portal events can be sent to the local service only.',
    buttons: ['Switch to the Local Service'],
  },
};

const withoutConnection: Meetings = {
  none: {
    meet: () => fromPalette('workflow.deploy'),
    words: 'There is no connection to a service yet.',
    buttons: ['Try the Local Service', 'Connect to a Service…'],
  },
};

const notRunning: Meetings = {
  stopped: {
    meet: () => fromPalette('apiKey.create'),
    words: 'The local service is not running. Keys of other services are made in their own settings.',
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
    words: 'The local service could not be started: ',
    buttons: ['Show Log'],
  },
  dataDamaged: {
    meet: startOnDamagedData,
    words: 'service.db holds no data of the service. Put back a copy of it, or move it away to start anew.',
    buttons: ['Set Data Aside…', 'Show Log'],
  },
  // These take the time that a process is given.
  silent: {
    meet: () => show(new LaunchError({ kind: 'silent', seconds: 20 }, '')),
    words: 'The local service was started, but did not answer within 20 s.',
    buttons: ['Show Log'],
  },
  notEnded: {
    meet: () => show(new LaunchError({ kind: 'notEnded', pid: 1234 }, '')),
    words: 'The local service did not end when it was told to. Its process is 1234.',
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
    beforeEach(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(async () => {
      await closeQuestion();
      await connection.close();
    });
    met.push(...meetEach('connection', { ...reasons, ...variants }));
  });
  return met;
}
