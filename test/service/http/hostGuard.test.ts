// Which hosts and pages a service accepts: by its rule, decided before anything else.
import assert from 'node:assert/strict';
import { Hono } from 'hono';
import { createHostGuard, type HostRule } from '../../../src/service/http/hostGuard.ts';
import { HttpError } from '../../../src/service/http/httpError.ts';
import type { ServiceEnvironment } from '../../../src/service/http/routes.ts';

const loopback: HostRule = { kind: 'loopback' };
const secure: HostRule = { kind: 'public', origin: 'https://a.example' };
const withPort: HostRule = { kind: 'public', origin: 'https://a.example:8443' };
const proxy: HostRule = { kind: 'proxy' };

async function ask(rule: HostRule, host: string, origin?: string): Promise<number> {
  const app = new Hono<ServiceEnvironment>();
  app.onError((error, context) => context.text('', error instanceof HttpError ? error.status : 500));
  app.use(
    '*',
    createHostGuard(rule, () => 8080),
  );
  app.get('/', (context) => context.text(''));
  const headers = { Host: host, ...(origin !== undefined && { Origin: origin }) };
  return (await app.request('http://127.0.0.1:8080/', { headers })).status;
}

describe('The host guard', () => {
  const cases: readonly (readonly [string, HostRule, string, string | undefined, number])[] = [
    ['loopback takes its name', loopback, 'localhost:8080', undefined, 200],
    ['loopback takes its own pages', loopback, '127.0.0.1:8080', 'http://127.0.0.1:8080', 200],
    ['loopback refuses another port', loopback, '127.0.0.1:8081', undefined, 403],
    ['loopback refuses another name', loopback, 'a.example:8080', undefined, 403],
    ['loopback refuses other pages', loopback, 'localhost:8080', 'https://a.example', 403],
    ['a public URL takes its host', secure, 'a.example', 'https://a.example', 200],
    ['a public URL takes its host in capitals', secure, 'A.Example', undefined, 200],
    ['a public URL takes the port of its scheme', secure, 'a.example:443', undefined, 200],
    ['a public URL refuses another port', secure, 'a.example:8080', undefined, 403],
    ['a public URL refuses loopback names', secure, '127.0.0.1:8080', undefined, 403],
    ['a public URL refuses longer names', secure, 'a.example.evil', undefined, 403],
    ['a public URL refuses a host with a user', secure, 'u@a.example', undefined, 403],
    ['a public URL refuses a host with a path', secure, 'a.example/x', undefined, 403],
    ['a public URL refuses its origin without TLS', secure, 'a.example', 'http://a.example', 403],
    ['a public URL refuses other pages', secure, 'a.example', 'https://b.example', 403],
    ['a public URL takes its port', withPort, 'a.example:8443', 'https://a.example:8443', 200],
    ['a public URL refuses no port for its port', withPort, 'a.example', undefined, 403],
    ['a proxy may name any host', proxy, 'any.example:1', undefined, 200],
    ['a proxy may speak TLS', proxy, 'any.example', 'https://any.example', 200],
    ['a proxy may leave out TLS', proxy, 'any.example:81', 'http://any.example:81', 200],
    ['behind a proxy, other pages are refused', proxy, 'any.example', 'https://b.example', 403],
    ['behind a proxy, another port is another page', proxy, 'any.example', 'https://any.example:81', 403],
    ['behind a proxy, pages of no origin are refused', proxy, 'any.example', 'null', 403],
  ];
  for (const [name, rule, host, origin, status] of cases)
    it(name, async () => assert.equal(await ask(rule, host, origin), status));
});
