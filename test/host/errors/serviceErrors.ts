// Whatever a service refuses or fails at, and whatever keeps it from being reached, is brought about once.
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import {
  ServiceError,
  type ServiceErrorReason,
  type UnreachableCause,
  type UnreadableCause,
} from '../../../src/domain/errors.ts';
import { answering, BadConnection, fromMenu, refusing, set } from './badService.ts';
import { serviceReasons, serviceVariants } from './n8nErrors.ts';
import { take } from '../keyboard.ts';
import { meetEach, type Meeting, type Meetings, show } from './meeting.ts';
import { shownReasons, shownVariants } from './shownReasons.ts';

/** What a service may say to get more than words onto the screen. */
const trap = `Ask [the owner](command:workbench.action.quit) of <a href="https://x.example">it</a>. ${'Only owners deploy. '.repeat(30)}`;
const html = { 'content-type': 'text/html' };
const limited = (code: string, message: string, seconds: number): RequestListener =>
  answering(429, { error: { code, message } }, { 'retry-after': `${seconds}` });

let connection: BadConnection;

const deploy = () => fromMenu('workflow.deploy', connection.row);
/** Deploys where the service answers this. */
const refused = (answer: RequestListener) => () => {
  connection.answers = { rest: answer };
  return deploy();
};
const faulty = (...details: readonly { path: string; message: string }[]) =>
  refused(refusing(422, 'workflow_invalid', 'The workflow is not valid.', details));

type PlainReason = Exclude<ServiceErrorReason['kind'], 'unreachable' | 'unreadable'>;

const reasons = {
  keyRejected: {
    meet: refused(refusing(401, 'api_key_revoked', 'This API key was revoked.')),
    words: 'The service rejected the API key. The service says: This API key was revoked.',
    buttons: ['Replace Key…'],
  },
  ...serviceReasons,
  forbidden: {
    meet: refused(refusing(403, 'forbidden', trap)),
    words: "The API key doesn't allow this. The service says: Ask [the owner] (command:",
    buttons: ['Replace Key…'],
  },
  notFound: {
    meet: refused(refusing(404, 'workflow_not_found', 'There is no such workflow.')),
    words: 'Not found. It may have been deleted. The service says: There is no such workflow.',
    buttons: ['Refresh'],
  },
  notOffered: {
    meet: refused(refusing(404, 'route_not_found', 'No such route.')),
    words:
      'The service doesn\'t support this at the expected path. Set another path in "workflowAutomation.operations".',
    buttons: ['Open Setting'],
  },
  notDeployed: {
    meet: async () => {
      const ended = { id: 'exec_1', workflowId: 'wf_1', status: 'completed', input: {} };
      connection.answers = {
        'GET /executions/exec_1': answering(200, ended),
        'POST /workflows/wf_1/deploy': answering(200, { id: 'wf_1', name: 'Lead intake', isDeployed: true }),
        rest: refusing(409, 'workflow_not_deployed', 'The workflow is not deployed.'),
      };
      const { connectionId } = connection.row;
      void fromMenu('execution.rerun', { connectionId, executionId: 'exec_1' });
      await take('Deploy and Execute');
    },
    words: "The workflow isn't deployed, so it can't be executed.",
  },
  conflict: {
    meet: refused(refusing(409, 'version_conflict', 'Version 3 was replaced by version 4.')),
    words:
      'The workflow has changed on the service since you loaded it. The service says: Version 3 was replaced by version 4.',
    buttons: ['Refresh'],
  },
  // A menu offers neither where it isn't possible: somebody else was faster.
  notPossible: {
    meet: () => show(new ServiceError({ kind: 'notPossible', because: 'ended' }, '')),
    words: "The execution has already ended, so it can't be cancelled.",
  },
  invalid: {
    meet: refused(refusing(422, 'workflow_invalid', 'The workflow has no trigger.')),
    words: 'Can\'t deploy "wf_1": The workflow has no trigger.',
    never: 'The service says',
  },
  ...shownReasons,
  tooLarge: {
    meet: refused(refusing(413, 'payload_too_large', 'At most 1 MiB is taken.')),
    words: 'Too large for the service. The service says: At most 1 MiB is taken.',
  },
  rateLimited: {
    // It's sent again three times first, each time after this many seconds.
    meet: refused(limited('rate_limited', 'Slow down.', 2)),
    words: 'The request limit is reached. Try again in',
  },
  unavailable: {
    meet: refused(refusing(500, 'internal_error', 'The database is locked.')),
    words: 'The service failed (HTTP 500). The service says: The database is locked.',
    buttons: ['Show Log'],
  },
  // Code is told; a person is asked whether to send it again.
  unanswered: {
    meet: () => show(new ServiceError({ kind: 'unanswered' }, '')),
    words: "The service didn't respond. It may have started the execution.",
  },
  gap: {
    meet: refused(refusing(410, 'gone', 'This workflow was archived.')),
    words: 'No longer available on the service. The service says: This workflow was archived.',
    buttons: ['Refresh'],
  },
  noList: {
    meet: () => show(new ServiceError({ kind: 'noList', says: null }, '')),
    words: 'The service responded without a list.',
    buttons: ['Show Log'],
    never: 'The service says',
  },
} satisfies Record<PlainReason, Meeting>;

/** The same reasons where they read differently. */
const variants = {
  noListButReasons: {
    meet: () => show(new ServiceError({ kind: 'noList', says: 'No such project.' }, '')),
    words: 'The service responded without a list. The service says: No such project.',
    buttons: ['Show Log'],
  },
  ...shownVariants,
  keyThatWasNotSent: {
    meet: async () => {
      await set('workflowAutomation.keyPrefix', 'other_');
      await deploy();
      await set('workflowAutomation.keyPrefix', undefined);
    },
    words: 'The key doesn\'t match the prefix in "workflowAutomation.keyPrefix", so no request was sent.',
    buttons: ['Replace Key…', 'Open Setting'],
    never: 'The service says',
  },
  ...serviceVariants,
  invalidWithPlaces: {
    meet: faulty(
      { path: 'nodes.0.config.url', message: 'is missing' },
      { path: '', message: 'There is no trigger' },
      { path: 'name', message: 'is empty' },
      { path: 'edges', message: 'is no list' },
    ),
    words: 'Can\'t deploy "wf_1": nodes.0.config.url: is missing. 3 more problems.',
  },
  invalidSaidTwice: {
    meet: refused(answering(422, { detail: [{ loc: ['body', 'name'], msg: 'field required' }] })),
    words: 'Can\'t deploy "wf_1": body.name: field required.',
    never: 'The service says',
  },
  quota: {
    meet: refused(limited('quota', 'The plan allows 1,000 a month.', 90_000)),
    words: 'The quota of this API key is used up. The service says: The plan allows 1,000 a month.',
    buttons: ['Replace Key…'],
  },
  fullDisk: {
    meet: refused(refusing(507, 'storage_full', 'The disk is full.')),
    words: 'The service failed (HTTP 507). The service says: The disk is full.',
    buttons: ['Show Log'],
  },
  quotaKnownAlready: {
    meet: async () => {
      await refused(limited('quota', 'The plan allows 1,000 a month.', 90_000))();
      await vscode.commands.executeCommand('notifications.clearAll');
      await deploy();
    },
    words: 'The quota of this API key is used up.',
    buttons: ['Replace Key…'],
    never: 'The service says',
  },
} satisfies Record<string, Meeting>;

const unreadables = {
  webPage: {
    meet: refused((_request, response) => response.writeHead(200, html).end('<p>Sign in</p>')),
    words: "got a web page, perhaps a proxy's sign-in page.",
  },
  notJson: {
    meet: refused((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{ "id": ');
    }),
    words: 'not valid JSON.',
  },
  tooDeep: {
    meet: refused((_request, response) => {
      const deep = `${'['.repeat(201)}${']'.repeat(201)}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"wf_1","nodes":${deep}}`);
    }),
    words: 'more than 200 levels deep.',
  },
  incomplete: { meet: refused(answering(200, [])), words: 'data is missing.' },
  tooLarge: { meet: refused(answering(200, 'x'.repeat(17 * 1024 * 1024))), words: 'too large.' },
  notText: {
    meet: () => show(new ServiceError({ kind: 'unreadable', cause: 'notText' }, '')),
    words: "it isn't text.",
  },
  encoded: {
    meet: refused(answering(200, {}, { 'content-encoding': 'gzip' })),
    words: 'got a compressed response.',
  },
  redirect: {
    meet: refused(answering(307, {}, { location: 'https://elsewhere.example/' })),
    words: 'redirected to another address.',
  },
} satisfies Record<UnreadableCause, Meeting>;

/** On a connection to this host, which answers through a proxy until it is needed. */
const lost = (host: string, lose: (connection: BadConnection) => PromiseLike<void>) => async () => {
  await connection.close();
  connection = await BadConnection.throughProxy('Billing', host);
  await lose(connection);
  await deploy();
};

const causes = {
  dns: {
    meet: lost('workflows.invalid', (it) => it.forgetProxy()),
    words: 'host not found (DNS).',
  },
  refused: {
    meet: async () => {
      await connection.stopService();
      await deploy();
    },
    words: 'connection refused.',
  },
  tls: {
    meet: lost('workflows.invalid', (it) => it.checkCertificate()),
    words: "the certificate isn't trusted (TLS).",
  },
  proxy: {
    meet: lost('workflows.invalid', (it) => it.refuseInProxy()),
    words: 'the proxy refused the request.',
    buttons: ['Diagnose', 'Open Setting'],
  },
  // It would take half a minute of silence.
  timeout: {
    meet: () => show(new ServiceError({ kind: 'unreachable', cause: 'timeout' }, '')),
    words: 'timeout.',
  },
  reset: { meet: refused((request) => request.socket.destroy()), words: 'the connection was closed.' },
  // An address that nothing can be reached at.
  other: { meet: lost('255.255.255.255', (it) => it.forgetProxy()), words: 'the connection failed.' },
} satisfies Record<UnreachableCause, Meeting>;

const withWords = (rows: Readonly<Record<string, Meeting>>, sentence: string, button: string) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      { buttons: [button], ...row, words: `${sentence}: ${row.words}` },
    ]),
  );

const tables: Readonly<Record<string, Meetings>> = {
  service: { ...reasons, ...variants },
  unreadable: withWords(unreadables, "The service's response couldn't be read", 'Show Log'),
  unreachable: withWords(causes, "The service can't be reached", 'Diagnose'),
};

/** Its tests, and what is met in them. */
export function meetServiceErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  describe('of a service', () => {
    beforeEach(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(() => connection.close());
    for (const [title, meetings] of Object.entries(tables)) met.push(...meetEach(title, meetings));
  });
  return met;
}
