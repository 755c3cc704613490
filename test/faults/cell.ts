// One fault under one operation, with the real client over real sockets: what came of it, what was sent, what it left.
import { toDisposable } from '../../src/base/disposable.ts';
import { type Clock, systemClock } from '../../src/base/time.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { createHttpPort } from '../../src/api/http/http.ts';
import type { HttpPort, HttpSettings } from '../../src/api/http/httpPort.ts';
import { SettingsClient } from '../../src/api/settingsClient.ts';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../support/servers.ts';
import { operations } from '../../src/protocol/operations.ts';
import type { Fault } from './answers.ts';
import { quotedKey } from './faults.ts';
import type { FaultedOperation } from './operations.ts';
import { describeServiceError } from '../../src/words/describeServiceError.ts';

export interface Cell {
  /** What a person is told, or "done". */
  readonly outcome: string;
  /** Method and path of each request that a service took, with its body. */
  readonly sent: readonly string[];
  /** What must not be; empty where all is well. */
  readonly broken: readonly string[];
}

const yearMs = 366 * 86_400_000;
const maximumRequests = 60;
/** The user says that the service has what it doesn't tell of. */
const { cancelExecution, retryExecution, executeDraft } = operations;
const offered = { cancelExecution, retryExecution, executeDraft };

/** Deadlines pass fifty times as fast until it is slowed down, other waits at once; it jumps when told to. */
function createFastClock(): Clock & { jump(milliseconds: number): void; slowDown(): void } {
  let ahead = 0;
  let deadlineSpeed = 50;
  return {
    now: () => systemClock.now() + ahead,
    schedule(callback, delayMs, kind) {
      const isDeadline = kind === 'deadline';
      const timer = setTimeout(
        () => {
          if (!isDeadline) ahead += delayMs;
          callback();
        },
        isDeadline ? delayMs / deadlineSpeed : 0,
      );
      return toDisposable(() => clearTimeout(timer));
    },
    jump(milliseconds) {
      ahead += milliseconds;
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

/** Brings the fault about, runs the operation, heals the service and asks it once more. */
export async function tryCell(fault: Fault, operation: FaultedOperation): Promise<Cell> {
  const running: Running[] = [];
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await Promise.all(running.map((each) => each.close()));
  });
  const key = quotedKey;
  const sent: string[] = [];
  const broken: string[] = [];
  const logged: string[] = [];
  let isHealed = false;

  const other = await serve((request, response) => {
    if (request.headers.authorization !== undefined) broken.push('the key went to another origin');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"nextCursor":null}');
  });
  running.push(other);
  const service = await serve((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      if (!isHealed) sent.push(`${request.method ?? ''} ${request.url ?? ''} ${text}`.trim());
      if (isHealed || fault.answer === undefined)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"nextCursor":null}');
      else fault.answer(request, response, { otherOrigin: `http://localhost:${other.port}` });
    });
  });
  running.push(service);

  const { baseUrl, ...way } = await openWay(fault, service.port, running);
  const port = createHttpPort(way);
  stack.use({
    [Symbol.dispose]: () => port.dispose(),
  });
  const healthyOrigin = `http://127.0.0.1:${service.port}`;
  const { origin } = new URL(baseUrl);
  const healing: HttpPort = async (url, request) => {
    if (!isHealed && fault.systemCode !== undefined)
      throw Object.assign(new Error('The system refused.'), { code: fault.systemCode });
    return port(isHealed ? url.replace(origin, healthyOrigin) : url, request);
  };
  const clock = createFastClock();
  const write = (message: string): void => {
    logged.push(message);
  };
  const client = createClient({
    http: () => Promise.resolve(healing),
    baseUrl,
    key: () => Promise.resolve(key),
    keyPrefix: () => 'svc_sk_',
    budgets: new Budgets({ clock }),
    logger: { debug: write, info: write, warn: write, error: write },
    clock,
    overrides: () => offered,
  });
  const settings = new SettingsClient({
    http: () => Promise.resolve(healing),
    origin,
    sessionToken: key,
    clock,
  });
  stack.use({
    [Symbol.dispose]: () => {
      client.dispose();
      settings.dispose();
    },
  });

  clock.jump(fault.clockJumpMs ?? 0);
  const ending = new AbortController();
  let outcome = 'done';
  try {
    await operation.run({ client, settings }, ending.signal);
  } catch (error) {
    outcome = isServiceError(error)
      ? describeServiceError(error, clock.now()).message
      : `not typed: ${String(error)}`;
    if (!isServiceError(error)) broken.push(outcome);
    if (`${outcome} ${JSON.stringify(error)}`.includes(key)) broken.push('the key stands in the error');
  }
  ending.abort();
  if (logged.some((line) => line.includes(key))) broken.push('the key stands in the log');
  if (sent.length > maximumRequests) broken.push(`${sent.length} requests`);
  broken.push(...repeatedChanges(sent, fault));

  isHealed = true;
  clock.slowDown();
  clock.jump(yearMs);
  await client.workflows.list({}).catch((error: unknown) => {
    broken.push(`not usable afterwards: ${String(error)}`);
  });
  return { outcome, sent, broken };
}
