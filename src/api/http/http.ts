// Implements the HTTP port with undici. A separate bundle chunk, loaded on first use.
import type { buildConnector, Dispatcher } from 'undici';
import connectThrough from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import buildConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { unlessAborted } from '../../base/async.ts';
import { codeOf } from '../../base/reason.ts';
import type { DisposableHttpPort, HttpRequest, HttpResponse, HttpSettings } from './httpPort.ts';
import { isLoopback } from '../../domain/connection.ts';
import { chooseProxies, ProxyError } from './proxy.ts';
import { trustOf } from './trust.ts';

// undici's index does this as well; its proxy agents need it.
Object.assign(UndiciDispatcher.prototype, { connect: connectThrough, request });

const connectTimeout = 20_000;
const shared = {
  connectTimeout,
  maxHeaderSize: 32 * 1024,
  // The caller has its own time limits for headers and body.
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
} as const;

/** Wraps a connector to the proxy, so that its failures are reported as the proxy's. */
function toProxy(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) callback(new ProxyError('The proxy cannot be reached.'), null);
      else callback(null, socket);
    });
}

function createRemoteAgent(settings: HttpSettings): Dispatcher {
  const trust = trustOf(settings);
  const connect = buildConnect({ ...trust, timeout: connectTimeout, allowH2: false });
  return new EnvHttpProxyAgent({
    ...shared,
    connect: { ...trust, timeout: connectTimeout },
    requestTls: trust,
    proxyTls: trust,
    clientFactory: (origin) =>
      new Pool(origin, { ...shared, headersTimeout: connectTimeout, connect: toProxy(connect) }),
    ...chooseProxies(settings),
  });
}

/** A proxy that refuses CONNECT looks like a cancelled request. */
function asProxyError(error: unknown, signal: AbortSignal): unknown {
  const isRefusal = codeOf(error) === 'UND_ERR_ABORTED';
  return isRefusal && !signal.aborted ? new ProxyError('The proxy refused the connection.') : error;
}

function toResponse({ statusCode, statusText, headers, body }: Dispatcher.ResponseData): HttpResponse {
  return {
    status: statusCode,
    statusText,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()];
        return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
      },
    },
    body,
  };
}

/** Sends requests with the proxies and certificates from the settings. Reads the system's certificates only when needed. */
export function createHttpPort(settings: HttpSettings = {}): DisposableHttpPort {
  const agents = new Map<string, Dispatcher>();

  /** Plain connections to this machine need neither certificates nor proxies, so those aren't read for them. */
  function agentFor({ protocol, hostname }: URL): Dispatcher {
    const kind = isLoopback(hostname) ? protocol : 'remote';
    let agent = agents.get(kind);
    if (agent) return agent;
    if (kind === 'remote') agent = createRemoteAgent(settings);
    else agent = new Agent(kind === 'https:' ? { ...shared, connect: trustOf(settings) } : shared);
    agents.set(kind, agent);
    return agent;
  }

  async function send(
    address: string,
    { method, headers, body, signal }: HttpRequest,
  ): Promise<HttpResponse> {
    const url = new URL(address);
    const agent = agentFor(url);
    const path = `${url.pathname}${url.search}`;
    const options = { origin: url.origin, path, method, headers, body: body ?? null, signal };
    try {
      return toResponse(await unlessAborted(agent.request(options), signal));
    } catch (error) {
      throw asProxyError(error, signal);
    }
  }

  return Object.assign(send, {
    dispose() {
      for (const agent of agents.values()) void agent.destroy();
    },
  });
}
