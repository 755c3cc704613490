// What can go wrong on the way to a service and with the protocol.
import { body, type Fault, json, page, partly, raw, redirect } from './answers.ts';

export const network: readonly Fault[] = [
  { name: 'connection refused', way: 'closedPort' },
  { name: 'certificate of nobody', way: 'untrustedTls' },
  { name: 'name that nobody knows', systemCode: 'ENOTFOUND' },
  { name: 'name server that is away', systemCode: 'EAI_AGAIN' },
  { name: 'network that is away', systemCode: 'ENETUNREACH' },
  { name: 'proxy that is down', way: 'deadProxy' },
  { name: 'proxy that refuses', way: 'refusingProxy' },
  { name: 'reset before the answer', answer: (request) => request.socket.destroy() },
  { name: 'no HTTP at all', answer: ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n') },
  {
    name: 'another protocol',
    answer: ({ socket }) => socket.write(raw('101 X', ['Upgrade: x', 'Connection: Upgrade'])),
  },
  {
    name: 'hints without an answer',
    isSilent: true,
    answer: ({ socket }) => socket.write(raw('103 Early Hints', []).repeat(20)),
  },
  {
    name: 'two lengths',
    answer: ({ socket }) => socket.write(raw('200 OK', ['Content-Length: 2', 'Content-Length: 9']) + '{}'),
  },
  {
    name: 'a chunk of no size',
    answer: ({ socket }) => socket.write(`${raw('200 OK', ['Transfer-Encoding: chunked'])}zz\r\n`),
  },
  {
    name: 'a second answer nobody asked for',
    answer: ({ socket }) => socket.end((raw('200 OK', ['Content-Length: 2']) + '{}').repeat(2)),
  },
  { name: 'reset in the headers', answer: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty') },
  { name: 'reset in the body', answer: partly('{"data":[', true) },
  { name: 'no answer', isSilent: true, answer: () => undefined },
  { name: 'body that stops', isSilent: true, answer: partly('{"data":[', false) },
  { name: 'headers of 64 kB', answer: body(page(), { ...json, 'x-much': 'x'.repeat(64 * 1024) }) },
  { name: 'redirect in a circle', answer: redirect('/v1/workflows') },
  {
    name: 'redirect to another origin',
    answer: (...all) => redirect(`${all[2].otherOrigin}/v1/workflows`)(...all),
  },
  {
    name: 'permanent redirect of all calls',
    answer: (...all) => redirect(`${all[2].otherOrigin}/v1/x`, 308)(...all),
  },
  {
    name: 'five redirects on the own origin',
    answer: (request, response, world) => {
      const hops = Number(/hop=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      const answer = hops < 5 ? redirect(`/v1/workflows?hop=${hops + 1}`) : body(page());
      answer(request, response, world);
    },
  },
  { name: 'redirect to no address', answer: redirect('http://[') },
  { name: 'redirect to a file', answer: redirect('file:///etc/passwd') },
  { name: 'redirect without an address', answer: body('', {}, 302) },
  { name: 'clock an hour back', clockJumpMs: -3_600_000 },
  { name: 'clock a year ahead', clockJumpMs: 365 * 86_400_000 },
];
