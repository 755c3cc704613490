// A service under a fault, and the way to it: what a client needs to ask it, what it was asked, and what must not be.
import { toDisposable } from '../../src/base/disposable.ts';
import { type Clock, systemClock } from '../../src/base/time.ts';
import { createHttpPort } from '../../src/api/http/http.ts';
import type { HttpPort, HttpSettings } from '../../src/api/http/httpPort.ts';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../support/servers.ts';
import { type Fault, json, page, quotedKey } from './answers.ts';

/** Waits pass at once, and deadlines faster than by the machine's time until it is slowed down; it jumps when told to. */
interface FastClock extends Clock {
  /** The time that passes without its jumps, in milliseconds. */
  readonly uptime: () => number;
  jump(milliseconds: number): void;
  slowDown(): void;
}

export interface FaultyWorld extends AsyncDisposable {
  readonly baseUrl: string;
  readonly key: string;
  readonly http: HttpPort;
  readonly clock: FastClock;
  /** Method and path of each request that the service took before it was healed, with its body. */
  readonly sent: readonly string[];
  /** Adds what must not be about the requests, and about the texts that people see. */
  readonly findBroken: (texts: readonly string[]) => readonly string[];
  /** Everything is well from now on. */
  heal(): void;
}

const yearMs = 366 * 86_400_000;
const maximumRequests = 60;

const speedOfDeadlines = 50;

function createFastClock(isSilent: boolean): FastClock {
  let waited = 0;
  let jumped = 0;
  // What a machine that is busy does late mustn't look as if it had never come.
  let deadlineSpeed = isSilent ? speedOfDeadlines : 1;
  return {
    now: () => systemClock.now() + waited + jumped,
    uptime: () => performance.now() + waited,
    schedule(callback, delayMs, kind) {
      const isDeadline = kind === 'deadline';
      const timer = setTimeout(
        () => {
          if (!isDeadline) waited += delayMs;
          callback();
        },
        isDeadline ? delayMs / deadlineSpeed : 0,
      );
      return toDisposable(() => clearTimeout(timer));
    },
    jump(milliseconds) {
      jumped += milliseconds;
    },
    slowDown() {
      deadlineSpeed = 1;
    },
  };
}

interface Way extends HttpSettings {
  readonly baseUrl: string;
}

/** Where the client is sent, by the fault. */
async function openWay(fault: Fault, port: number, running: Running[]): Promise<Way> {
  const environment = {};
  const keep = async <T extends Running>(opening: Promise<T>): Promise<T> => {
    const opened = await opening;
    running.push(opened);
    return opened;
  };
  if (fault.way === undefined) return { baseUrl: `http://127.0.0.1:${port}/v1`, environment };
  switch (fault.way) {
    case 'closedPort':
      return { baseUrl: `http://127.0.0.1:${await closedPort()}/v1`, environment };
    case 'untrustedTls':
      return { baseUrl: `https://127.0.0.1:${(await keep(serveTls(() => undefined))).port}/v1`, environment };
    case 'deadProxy':
      return {
        baseUrl: 'https://service.test/v1',
        environment,
        proxy: `http://127.0.0.1:${await closedPort()}`,
      };
    case 'refusingProxy': {
      const proxy = await keep(serveProxy({ target: 0, refusal: '403 Forbidden' }));
      return { baseUrl: 'https://service.test/v1', environment, proxy: `http://127.0.0.1:${proxy.port}` };
    }
  }
}

/** Changes that were sent more than once, though a service may have done them the first time. */
function repeatedChanges(sent: readonly string[], fault: Fault): readonly string[] {
  const changes = sent.filter((line) => !line.startsWith('GET '));
  if (fault.isRefusal === true) return [];
  return changes
    .filter((line, index) => changes.indexOf(line) !== index)
    .map((line) => `sent twice: ${line}`);
}

export async function openFaultyWorld(fault: Fault): Promise<FaultyWorld> {
  const running: Running[] = [];
  const sent: string[] = [];
  const broken: string[] = [];
  let isHealed = false;

  const other = await serve((request, response) => {
    if (request.headers.authorization !== undefined) broken.push('the key went to another origin');
    response.writeHead(200, json).end(page());
  });
  running.push(other);
  const service = await serve((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      if (!isHealed) sent.push(`${request.method ?? ''} ${request.url ?? ''} ${text}`.trim());
      if (isHealed || fault.answer === undefined) response.writeHead(200, json).end(page());
      else fault.answer(request, response, { otherOrigin: `http://localhost:${other.port}` });
    });
  });
  running.push(service);

  const { baseUrl, ...way } = await openWay(fault, service.port, running);
  const port = createHttpPort(way);
  const healthyOrigin = `http://127.0.0.1:${service.port}`;
  const { origin } = new URL(baseUrl);
  const http: HttpPort = async (url, request) => {
    if (!isHealed && fault.systemCode !== undefined)
      throw Object.assign(new Error('The system refused.'), { code: fault.systemCode });
    return port(isHealed ? url.replace(origin, healthyOrigin) : url, request);
  };
  const clock = createFastClock(fault.isSilent === true);
  clock.jump(fault.clockJumpMs ?? 0);
  return {
    baseUrl,
    key: quotedKey,
    http,
    clock,
    sent,
    findBroken(texts) {
      const found = [...broken, ...repeatedChanges(sent, fault)];
      if (texts.some((text) => text.includes(quotedKey))) found.push('the key is shown');
      if (sent.length > maximumRequests) found.push(`${sent.length} requests`);
      return found;
    },
    heal() {
      isHealed = true;
      clock.slowDown();
      clock.jump(yearMs);
    },
    async [Symbol.asyncDispose]() {
      port.dispose();
      await Promise.all(running.map((each) => each.close()));
    },
  };
}
