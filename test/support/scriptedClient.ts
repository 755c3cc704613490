// The real client on a scripted port and a clock moved by hand.
import { Budgets } from '../../src/api/budget/budgets.ts';
import { type ClientDeps, createClient } from '../../src/api/client.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { HttpRequest } from '../../src/api/http/httpPort.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { OperationOverrides } from '../../src/protocol/operationOverrides.ts';
import { HandClock } from './memory/ports.ts';
import { createScriptedPort, type ScriptedAnswer, type ScriptedPort } from './scriptedPort.ts';

/** A key that no service knows. */
export const scriptedKey = 'svc_sk_scripted0123456789';
const scriptedBaseUrl = 'https://service.example/v1';

export interface ScriptedClient {
  readonly client: ServicePort;
  readonly requests: ScriptedPort['requests'];
  readonly clock: HandClock;
  /** What was logged, level first. */
  readonly logged: readonly string[];
  /** The key that the secret store gives out; undefined for none. */
  key: string | undefined;
}

export function createScriptedClient(
  answer: (path: string, request: HttpRequest, count: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
  baseUrl = scriptedBaseUrl,
  overrides?: () => OperationOverrides,
  owner?: ClientDeps['owner'],
  waits?: ClientDeps['waits'],
): ScriptedClient {
  const clock = new HandClock();
  const logged: string[] = [];
  const write =
    (level: string) =>
    (message: string): void => {
      logged.push(`${level} ${message}`);
    };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const { port, requests } = createScriptedPort((url, request, count) =>
    answer(url.replace(/^https?:\/\/[^/]+\/v1/, ''), request, count),
  );
  const scripted: { client?: ServicePort; key: string | undefined } = { key: scriptedKey };
  const client = createClient({
    http: () => Promise.resolve(port),
    baseUrl,
    key: () => Promise.resolve(scripted.key),
    keyPrefix: () => 'svc_sk_',
    budgets: new Budgets({ clock, random: () => 0 }),
    logger,
    clock,
    random: () => 0,
    ...(overrides && { overrides }),
    owner,
    waits,
  });
  return Object.assign(scripted, { client, requests, clock, logged });
}
