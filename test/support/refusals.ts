// What a service refuses or fails at, and what a person then reads. words/serviceRefusals.test.ts brings each about over a socket;
// those that stand for a way to the screen are met there once more, by host/errors.
import type { RequestListener } from 'node:http';
import {
  ServiceError,
  type ServiceErrorReason,
  type UnreachableCause,
  type UnreadableCause,
} from '../../src/domain/errors.ts';
import { answering, refusing } from './servers.ts';

export interface Refusal {
  /** How the service answers a deployment, or the error itself where none brings it about. */
  readonly by: RequestListener | ServiceError;
  /** What is read; more may follow, such as the service's own words. */
  readonly words: string;
  /** The buttons beside it, left to right. Default: none. */
  readonly buttons?: readonly string[];
  /** What must not stand beside it. */
  readonly never?: string;
  /** What a notification says instead of the words. */
  readonly notified?: string;
  /** It stands for a way to the screen, so it's met in a window each time; others are, where pictures are wanted. */
  readonly isAlwaysMet?: true;
}

/** What a service may say to get more than words onto the screen. */
const trap = `Ask [the owner](command:workbench.action.quit) of <a href="https://x.example">it</a>. ${'Only owners deploy. '.repeat(30)}`;
const html = { 'content-type': 'text/html' };
const text = { 'content-type': 'application/json' };
const limited = (code: string, message: string, seconds: number): RequestListener =>
  answering(429, { error: { code, message } }, { 'retry-after': `${seconds}` });
const invalid = (...details: readonly { path: string; message: string }[]): RequestListener =>
  refusing(422, 'workflow_invalid', 'The workflow is not valid.', details);
/** What no service here brings about. */
const only = (reason: ServiceErrorReason, message = '', status = 0): ServiceError =>
  new ServiceError(reason, message, { status, connectionId: 'mine' });

type PlainReason = Exclude<ServiceErrorReason['kind'], 'unreachable' | 'unreadable'>;

const reasons = {
  keyRejected: {
    by: refusing(401, 'api_key_revoked', 'This API key was revoked.'),
    words: 'The service rejected the API key. The service says: This API key was revoked.',
    buttons: ['Replace Key…'],
  },
  forbidden: {
    by: refusing(403, 'forbidden', trap),
    words: "The API key doesn't allow this. The service says: Ask [the owner](command:",
    notified: "The API key doesn't allow this. The service says: Ask [the owner] (command:",
    buttons: ['Replace Key…'],
    isAlwaysMet: true,
  },
  notFound: {
    by: refusing(404, 'workflow_not_found', 'There is no such workflow.'),
    words: 'Not found. It may have been deleted. The service says: There is no such workflow.',
    buttons: ['Refresh'],
  },
  notOffered: {
    by: refusing(404, 'route_not_found', 'No such route.'),
    words:
      'The service doesn\'t support this at the expected path. Set another path in "workflowAutomation.operations".',
    buttons: ['Open Setting'],
  },
  // Of an execution, which host/errors brings about.
  notDeployed: {
    by: only({ kind: 'notDeployed' }),
    words: "The workflow isn't deployed, so it can't be executed.",
  },
  conflict: {
    by: refusing(409, 'version_conflict', 'Version 3 was replaced by version 4.'),
    words:
      'The workflow has changed on the service since you loaded it. The service says: Version 3 was replaced by version 4.',
    buttons: ['Refresh'],
  },
  invalid: {
    by: refusing(422, 'workflow_invalid', 'The workflow has no trigger.'),
    words: "The service didn't accept this. The service says: The workflow has no trigger.",
    notified: 'Can\'t deploy "wf_1": The workflow has no trigger.',
  },
  tooLarge: {
    by: refusing(413, 'payload_too_large', 'At most 1 MiB is taken.'),
    words: 'Too large for the service. The service says: At most 1 MiB is taken.',
  },
  rateLimited: {
    by: limited('rate_limited', 'Slow down.', 2),
    words: 'The request limit is reached. Try again in 2 s.',
  },
  unavailable: {
    by: refusing(500, 'internal_error', 'The database is locked.'),
    words: 'The service failed (HTTP 500). The service says: The database is locked.',
    buttons: ['Show Log'],
  },
  gap: {
    by: refusing(410, 'gone', 'This workflow was archived.'),
    words: 'No longer available on the service. The service says: This workflow was archived.',
    buttons: ['Refresh'],
  },
  // A menu offers neither where it isn't possible: somebody else was faster.
  notPossible: {
    by: only({ kind: 'notPossible', because: 'ended' }),
    words: "The execution has already ended, so it can't be cancelled.",
  },
  // Code is told; a person is asked whether to send it again.
  unanswered: {
    by: only({ kind: 'unanswered' }),
    words: "The service didn't respond. It may have started the execution.",
  },
  noList: {
    by: only({ kind: 'noList', says: null }),
    words: 'The service responded without a list.',
    buttons: ['Show Log'],
    never: 'The service says',
  },
  // Keys are kept by the editor: none can be taken away from outside.
  keyMissing: {
    by: only({ kind: 'keyMissing' }),
    words: "The API key of this connection isn't on this machine.",
    buttons: ['Enter Key…'],
  },
  // Nor can their storage be broken from outside.
  secretStorage: {
    by: only({ kind: 'secretStorage', operation: 'read', cause: 'failed' }),
    words:
      "VS Code's secret storage didn't return the API key. Unlock the keychain of your system and try again, or restart VS Code.",
    buttons: ['Replace Key…', 'Show Log'],
  },
  // In the message at the end of an import it stands behind the name of its file.
  otherFormat: {
    by: only({ kind: 'otherFormat', expected: 'service' }),
    words: 'This is a workflow of n8n. Use a connection to an n8n for it. Nothing was sent.',
  },
  // Only an n8n has workflows without a way to start them: see n8nRefusals.test.ts.
  notStartable: {
    by: only({ kind: 'notStartable', because: 'noTrigger', by: 'n8n' }),
    words:
      'This workflow has no trigger that can be started from here. A Webhook node can; with the MCP token of your n8n on the connection, chat, form and schedule triggers can, too.',
    buttons: ['Add MCP Token…'],
  },
  // A menu offers nothing of it for one that is archived.
  archived: {
    by: only({ kind: 'archived', workflowId: 'wf_1' }, 'The workflow is archived.'),
    words: "The workflow is archived, so it can't be changed, deployed or executed.",
    buttons: ['Unarchive'],
  },
  // One that was verified is rejected only by an n8n that has forgotten it.
  mcpTokenRejected: {
    by: only({ kind: 'mcpTokenRejected' }, 'Unauthorized', 401),
    words: 'The service rejected the MCP token. The service says: Unauthorized',
    buttons: ['Replace MCP Token…'],
  },
  // Nothing is asked of the server while there's none, unless it's deleted at that moment.
  mcpTokenMissing: {
    by: only({ kind: 'mcpTokenMissing' }),
    words: "The MCP token of this connection isn't on this machine.",
    buttons: ['Add MCP Token…'],
  },
} satisfies Record<PlainReason, Refusal>;

/** The same reasons where they read differently. */
const variants = {
  invalidWithPlaces: {
    by: invalid(
      { path: 'nodes.0.config.url', message: 'is missing' },
      { path: '', message: 'There is no trigger' },
      { path: 'name', message: 'is empty' },
      { path: 'edges', message: 'is no list' },
    ),
    words: 'nodes.0.config.url: is missing; There is no trigger; name: is empty; 1 more',
    notified: 'Can\'t deploy "wf_1": nodes.0.config.url: is missing. 3 more problems.',
    isAlwaysMet: true,
  },
  invalidSaidTwice: {
    by: answering(422, { detail: [{ loc: ['body', 'name'], msg: 'field required' }] }),
    words: "The service didn't accept this. body.name: field required",
    notified: 'Can\'t deploy "wf_1": body.name: field required.',
    never: 'The service says',
  },
  quota: {
    by: limited('quota', 'The plan allows 1,000 a month.', 90_000),
    words: 'The quota of this API key is used up. The service says: The plan allows 1,000 a month.',
    buttons: ['Replace Key…'],
  },
  quotaKnownAlready: {
    by: only({ kind: 'rateLimited', isQuota: true, retryAt: 0 }),
    words: 'The quota of this API key is used up.',
    buttons: ['Replace Key…'],
    never: 'The service says',
  },
  keyThatWasNotSent: {
    by: only({ kind: 'keyRejected', code: null }),
    words: 'The key doesn\'t match the prefix in "workflowAutomation.keyPrefix", so no request was sent.',
    buttons: ['Replace Key…', 'Open Setting'],
    never: 'The service says',
  },
  fullDisk: {
    by: refusing(507, 'storage_full', 'The disk is full.'),
    words: 'The service failed (HTTP 507). The service says: The disk is full.',
    buttons: ['Show Log'],
  },
  noListButReasons: {
    by: only({ kind: 'noList', says: 'No such project.' }),
    words: 'The service responded without a list. The service says: No such project.',
    buttons: ['Show Log'],
  },
  closedNotInMcp: {
    by: only({ kind: 'notStartable', because: 'closedNotInMcp', by: 'n8n' }),
    words:
      "The workflow's Webhook node requires authentication of its own, and n8n doesn't let its MCP server execute this workflow. Switch on \"Available in MCP\" in the workflow's settings.",
  },
  ownAuthentication: {
    by: only({ kind: 'notStartable', because: 'ownAuthentication', by: 'n8n' }),
    words:
      "The workflow's Webhook node requires authentication of its own. To execute the workflow, add the MCP token of your n8n to the connection.",
    buttons: ['Add MCP Token…'],
  },
  silentSecretStorage: {
    by: only({ kind: 'secretStorage', operation: 'store', cause: 'silent' }),
    words: "VS Code's secret storage didn't store the API key. It didn't respond in time. Unlock",
    buttons: ['Show Log'],
  },
  otherFormatForN8n: {
    by: only({ kind: 'otherFormat', expected: 'n8n' }),
    words: 'This isn\'t a workflow of n8n, which has "nodes" and "connections". Nothing was sent.',
  },
  rightMissing: {
    by: only({ kind: 'forbidden', right: 'workflow:list' }, 'Forbidden', 403),
    words: 'The key has no right to list workflows (workflow:list).',
    buttons: ['Replace Key…'],
    never: 'The service says',
  },
  notOfferedByItsKind: {
    by: only({ kind: 'notOffered', isNotAdvertised: true, by: 'n8n' }),
    words: 'This is not offered by n8n.',
  },
} satisfies Record<string, Refusal>;

const unreadable = (by: Refusal['by'], words: string): Refusal => ({
  by,
  words: `The service's response couldn't be read: ${words}`,
  buttons: ['Show Log'],
});

const unreadables = {
  webPage: {
    ...unreadable(
      (_request, response) => response.writeHead(200, html).end('<p>Sign in</p>'),
      "got a web page, perhaps a proxy's sign-in page.",
    ),
    isAlwaysMet: true,
  },
  notJson: unreadable(
    (_request, response) => response.writeHead(200, text).end('{ "id": '),
    'not valid JSON.',
  ),
  tooDeep: unreadable((_request, response) => {
    const deep = `${'['.repeat(201)}${']'.repeat(201)}`;
    response.writeHead(200, text).end(`{"id":"wf_1","nodes":${deep}}`);
  }, 'more than 200 levels deep.'),
  incomplete: unreadable(answering(200, []), 'data is missing.'),
  tooLarge: unreadable(answering(200, 'x'.repeat(17 * 1024 * 1024)), 'too large.'),
  notText: unreadable(only({ kind: 'unreadable', cause: 'notText' }), "it isn't text."),
  encoded: unreadable(answering(200, {}, { 'content-encoding': 'gzip' }), 'got a compressed response.'),
  redirect: unreadable(
    answering(307, {}, { location: 'https://elsewhere.example/' }),
    'redirected to another address.',
  ),
} satisfies Record<UnreadableCause, Refusal>;

/** Without these ways to lose it, a connection is closed by the service. */
const unreachable = (by: Refusal['by'], words: string): Refusal => ({
  by,
  words: `The service can't be reached: ${words}`,
  buttons: ['Diagnose'],
});

/** What is brought about by other means than an answer: serviceRefusals.test.ts has the ways. */
export const lost = {
  dns: unreachable(only({ kind: 'unreachable', cause: 'dns' }), 'host not found (DNS).'),
  refused: unreachable(only({ kind: 'unreachable', cause: 'refused' }), 'connection refused.'),
  tls: unreachable(only({ kind: 'unreachable', cause: 'tls' }), "the certificate isn't trusted (TLS)."),
  proxy: {
    ...unreachable(only({ kind: 'unreachable', cause: 'proxy' }), 'the proxy refused the request.'),
    buttons: ['Diagnose', 'Open Setting'],
  },
  // It would take half a minute of silence.
  timeout: unreachable(only({ kind: 'unreachable', cause: 'timeout' }), 'timeout.'),
  reset: unreachable((request) => request.socket.destroy(), 'the connection was closed.'),
  other: unreachable(only({ kind: 'unreachable', cause: 'other' }), 'the connection failed.'),
} satisfies Record<UnreachableCause, Refusal>;

/** By the group and the name under which a picture of each is taken. */
export const refusals = {
  service: { ...reasons, ...variants },
  unreadable: unreadables,
  unreachable: lost,
} satisfies Record<string, Record<string, Refusal>>;
