// A client of an n8n of the user's own.
import { combine } from '../../base/disposable.ts';
import { ObservableValue } from '../../base/event.ts';
import { systemClock } from '../../base/time.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { OperationName } from '../../protocol/operations.ts';
import { unlimitedBudget } from '../budget/budget.ts';
import type { ClientDeps } from '../client.ts';
import { isHtml } from '../errors/errorText.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Authorize } from '../request/sender.ts';
import { readStoredSecret } from '../request/storedSecret.ts';
import { RequestTransport, type TransportDeps } from '../request/transport.ts';
import type { ClientOwner, KeyReader, PortalEventPort, ServicePort } from '../servicePort.ts';
import { apiPath, n8nApiAddress } from './operations.ts';
import { N8nDrafts } from './drafts.ts';
import { N8nExecuting } from './executing.ts';
import { N8nExecutions } from './executions.ts';
import { KnownPages } from './knownPages.ts';
import { KeyRights, tellingRights } from './keyRights.ts';
import { McpServer, hasMcpServer } from './mcp.ts';
import { N8nNodeTypes } from './nodeTypes.ts';
import { N8nOffers } from './offers.ts';
import { refuse } from './refusing.ts';
import { VersionTransport } from './versionTransport.ts';
import { WebhookCaller } from './webhookCaller.ts';
import { N8nWorkflows } from './workflows.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

/** baseUrl: the editor's address, with or without `/api/v1`. Must be https: except on loopback; otherwise every call rejects. */
export interface N8nClientDeps extends Omit<ClientDeps, 'keyPrefix' | 'overrides' | 'budgets'> {
  /** Reads the token of the MCP server. Default: none. */
  readonly mcpToken?: KeyReader | undefined;
}

/** n8n's keys have no prefix to know them by. */
function apiKey(readKey: KeyReader): Authorize {
  return async () => {
    const secret = await readStoredSecret(readKey, { name: 'API key' });
    return { headers: { 'X-N8N-API-KEY': secret }, secret };
  };
}

/** Of n8n's MCP server, which has a key of its own. */
function mcpAuthorize(readToken: KeyReader): Authorize {
  return async () => {
    const secret = await readStoredSecret(readToken, { name: 'MCP token' });
    return { headers: { Authorization: `Bearer ${secret}` }, secret };
  };
}

const notOffered = ['listPortalEvents', 'sendPortalEvent'] as const satisfies readonly OperationName[];

const portalEvents: PortalEventPort = {
  list: () => refuse('Listing portal events'),
  listWhole: () => refuse('Listing portal events'),
  stream: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => refuse('Listening for portal events') }),
  }),
  send: () => refuse('Sending portal events'),
};

const noToken: KeyReader = () => Promise.resolve(undefined);
const withoutKey: Authorize = () => Promise.resolve({ headers: {}, secret: '' });

/** What n8n responds with first while it starts. */
function saysStarting(response: CompleteResponse): boolean {
  return isHtml(response) && response.status !== 404 && /^\s*n8n is starting up/i.test(response.text);
}

/** Every n8n has an API and webhooks. While it starts, its web server knows nothing of them yet. */
function isStarting(response: CompleteResponse): boolean {
  const isUnknown = isHtml(response) && response.status === 404;
  return (
    saysStarting(response) || (isUnknown && /<pre>Cannot [A-Z]{3,7} \//.test(response.text.slice(0, 2000)))
  );
}

/** The same owner, which asks an n8n that has responded what it offers. */
function refreshingOffers(owner: ClientOwner, offers: N8nOffers): ClientOwner {
  const onResponse = (): void => {
    owner.onResponse?.();
    void offers.refresh();
  };
  return { ...owner, onResponse };
}

/** Not every n8n has that server, so a response that knows nothing of it doesn't mean that n8n starts. */
function createMcpServer(
  shared: Omit<TransportDeps, 'authorize'>,
  readToken: KeyReader,
  connectionId: string | null,
) {
  const ofMcp = { ...shared, isStarting: saysStarting };
  const transport = new RequestTransport({ ...ofMcp, authorize: mcpAuthorize(readToken) });
  const bare = new RequestTransport({ ...ofMcp, authorize: withoutKey });
  const hasMcp = (options?: CallOptions): Promise<boolean> => hasMcpServer(bare, options);
  const owned = combine(transport, bare);
  return {
    mcp: new McpServer({ transport, token: readToken, hasMcp, connectionId }),
    hasMcp,
    dispose: () => owned.dispose(),
  };
}

/** Sends nothing until the first call. Disposing cancels all calls and follows. */
export function createN8nClient(deps: N8nClientDeps): ServicePort {
  const { http, baseUrl, key, logger, owner, waits, mcpToken = noToken } = deps;
  const { clock = systemClock, random = Math.random } = deps;
  const shared = {
    http,
    budget: unlimitedBudget,
    followsRedirects: false,
    logger,
    clock,
    random,
    isStarting,
  };
  const api = n8nApiAddress(baseUrl);
  const editor = api.slice(0, -apiPath.length);
  const ownApi = { ...shared, baseUrl: api, authorize: apiKey(key) };
  const quiet = new RequestTransport(ownApi);
  const { connectionId = null } = owner ?? {};
  const mcpServer = createMcpServer({ ...shared, baseUrl: editor }, mcpToken, connectionId);
  const { mcp, hasMcp } = mcpServer;
  const offers = new N8nOffers({ mcp, hasMcp, token: mcpToken, api: quiet, clock, logger });
  const rights = new KeyRights({ api: quiet, key });
  const own = new RequestTransport({ ...ownApi, waits, owner: owner && refreshingOffers(owner, offers) });
  const transport = tellingRights(new VersionTransport(own), rights);
  // Without the owner: what they refuse says nothing of its key.
  const webhooks = new RequestTransport({ ...shared, baseUrl: editor, authorize: withoutKey });
  const executions = new N8nExecutions({ transport, logger, clock, random });
  const executing = new N8nExecuting({
    webhooks: new WebhookCaller({ transport: webhooks, executions, clock }),
    mcp,
    offers,
    drafts: new N8nDrafts({ mcp, executions, clock }),
    executions,
    clock,
    connectionId,
  });
  const known = new KnownPages({ mcp, key, clock });
  return {
    workflows: new N8nWorkflows({ transport, logger, clock, executing, known, connectionId }),
    executions,
    portalEvents,
    mcp,
    nodeTypes: new N8nNodeTypes({ mcp, clock, logger }),
    pageOf: (...ids) => pageOf(editor, ...ids),
    missingRights: () => rights.missing(),
    budget: unlimitedBudget,
    notOffered: new ObservableValue<ReadonlySet<OperationName>>(new Set(notOffered)),
    capabilities: offers.offered,
    learnOffers: () => offers.learn(),
    traits: serviceTraits.n8n,
    dispose() {
      for (const each of [offers, transport, quiet, webhooks, mcpServer]) each.dispose();
    },
  };
}

/** `editor`: its address. */
function pageOf(editor: string, workflowId: string, executionId?: string, nodeId?: string): string {
  const ofExecution = executionId === undefined ? [] : ['executions', executionId];
  const parts = ['workflow', workflowId, ...ofExecution, ...(nodeId === undefined ? [] : [nodeId])];
  return [editor, ...parts.map((part) => encodeURIComponent(part.toWellFormed()))].join('/');
}
