// Goes the way to a service step by step, so that a person sees which step fails. Sends no key.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { abortReason, unlessAborted } from '../base/async.ts';
import { type Clock, Deadline, steadyNow, systemClock } from '../base/time.ts';
import type { RouteCheck, SkipReason, StepResult } from '../domain/routeCheck.ts';
import { explainFailure } from './errors/classify.ts';
import { discard } from './http/completeResponse.ts';
import type { HttpPort, HttpSettings } from './http/httpPort.ts';
import { type HostAndPort, hostAndPort, proxyFor, ProxyError } from './http/proxy.ts';
import { trustOf } from './http/trust.ts';

/** Milliseconds for each step. A request through a proxy includes the steps that the proxy takes. */
const defaultLimits = { dns: 10_000, tcp: 10_000, tls: 10_000, request: 30_000 } as const;

export interface RouteCheckDeps {
  readonly http: () => Promise<HttpPort>;
  readonly settings: HttpSettings;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** In milliseconds. */
  readonly limits?: Readonly<Record<keyof typeof defaultLimits, number>>;
}

interface Taken<T> {
  readonly result: StepResult;
  /** Missing unless the step is ok. */
  readonly value?: T;
}

const skip = (why: SkipReason): Taken<never> => ({ result: { kind: 'skipped', why } });

/** Runs one step within its time limit. Rejects only when the signal is aborted, with its reason. */
async function take<T>(
  { clock = systemClock }: RouteCheckDeps,
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Taken<T>> {
  const deadline = new Deadline(clock, signal);
  deadline.restart(limitMs);
  const began = steadyNow();
  try {
    const value = await unlessAborted(work(deadline.signal), deadline.signal);
    return { result: { kind: 'ok', ms: Math.round(steadyNow() - began) }, value };
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    const why = deadline.isExpired ? ({ cause: 'timeout', code: null } as const) : explainFailure(error);
    return { result: { kind: 'failed', ...why } };
  } finally {
    deadline.dispose();
  }
}

/** The sockets of one check. They are closed with it. */
class Sockets {
  readonly #open: net.Socket[] = [];

  async connect(
    { host, port }: HostAndPort,
    addresses: readonly LookupAddress[],
    signal: AbortSignal,
  ): Promise<net.Socket> {
    const socket = net.connect({
      host,
      port,
      autoSelectFamily: true,
      // Tries the addresses of the step before.
      lookup: (_host, _options, callback) => callback(null, [...addresses]),
    });
    return this.#opened(socket, 'connect', signal);
  }

  async secure(
    socket: net.Socket,
    host: string,
    settings: HttpSettings,
    signal: AbortSignal,
  ): Promise<net.Socket> {
    const name = net.isIP(host) === 0 ? { servername: host } : { host };
    const secured = tls.connect({ socket, ...name, ...trustOf(settings), ALPNProtocols: ['http/1.1'] });
    return this.#opened(secured, 'secureConnect', signal);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async #opened<T extends net.Socket>(socket: T, event: string, signal: AbortSignal): Promise<T> {
    this.#open.push(socket);
    // `once` reports an error of the step. A later one has no step that it belongs to, and without a listener it would end the process.
    socket.on('error', () => socket.destroy());
    await once(socket, event, { signal });
    return socket;
  }
}

async function requestStatus(
  http: () => Promise<HttpPort>,
  url: string,
  signal: AbortSignal,
): Promise<number> {
  const send = await http();
  const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity' };
  const response = await send(url, { method: 'GET', headers, signal, isStream: false });
  await discard(response);
  if (response.status === 407) throw new ProxyError('The proxy asks for credentials.');
  return response.status;
}

interface Target extends HostAndPort {
  readonly isProxy: boolean;
}

/**
 * Checks name resolution, TCP, TLS and a request without a key, each within its time limit. After a step that fails, the rest is skipped.
 * Behind a proxy, the first two lead to the proxy, and the request includes TLS. Rejects only when the signal is aborted.
 */
export async function checkRoute(
  baseUrl: string,
  deps: RouteCheckDeps,
  signal: AbortSignal,
): Promise<RouteCheck> {
  const { http, settings, limits = defaultLimits } = deps;
  const url = new URL(baseUrl);
  const service = hostAndPort(url);
  const chosen = await take<Target>(deps, limits.dns, signal, () => {
    const proxy = proxyFor(url, settings);
    return Promise.resolve(proxy ? { ...proxy, isProxy: true } : { ...service, isProxy: false });
  });
  const target = chosen.value ?? { ...service, isProxy: false };
  const sockets = new Sockets();
  const after = <T>(
    { result }: Taken<unknown>,
    limitMs: number,
    work: (step: AbortSignal) => Promise<T>,
  ): Promise<Taken<T>> =>
    result.kind === 'failed' || (result.kind === 'skipped' && result.why === 'earlier')
      ? Promise.resolve(skip('earlier'))
      : take(deps, limitMs, signal, work);
  try {
    const { host, isProxy } = target;
    const family = net.isIP(host);
    const known = family === 0 ? [] : [{ address: host, family }];
    const dns =
      chosen.value === undefined
        ? { result: chosen.result }
        : family === 0
          ? await take(deps, limits.dns, signal, () => lookup(host, { all: true }))
          : skip('address');
    const addresses = dns.value ?? known;
    const tcp = await after(dns, limits.tcp, (step) => sockets.connect(target, addresses, step));
    const secured = async (): Promise<Taken<unknown>> => {
      const { value: socket } = tcp;
      if (socket === undefined) return skip('earlier');
      if (url.protocol !== 'https:') return skip('plain');
      if (isProxy) return skip('proxy');
      return take(deps, limits.tls, signal, (step) => sockets.secure(socket, host, settings, step));
    };
    const tlsStep = await secured();
    const request = await after(tlsStep, limits.request, (step) => requestStatus(http, baseUrl, step));
    return {
      ...target,
      addresses: addresses.map(({ address }) => address),
      dns: dns.result,
      tcp: tcp.result,
      tls: tlsStep.result,
      request: request.result,
      status: request.value ?? null,
    };
  } finally {
    sockets.close();
  }
}
