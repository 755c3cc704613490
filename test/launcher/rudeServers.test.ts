// Whatever listens where the local service was or is, each call of the launcher ends.
import assert from 'node:assert/strict';
import { callSettings, ProvenConnection, takeLease } from '../../src/launcher/lease.ts';
import { type Instance, proveIdentity } from '../../src/protocol/localService/instance.ts';
import { settingsOperations } from '../../src/protocol/operations.ts';
import type { RudeServer } from '../support/rudeServers.ts';
import { testRudeServers } from '../support/rudeTable.ts';

const instanceAt = (port: number): Instance => ({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  pid: process.pid,
  sessionToken: 'token',
});
const never = (): AbortSignal => new AbortController().signal;

/** Proves to be the instance on each connection, and is rude from the second request on. */
const provenFirst = (server: RudeServer): RudeServer => ({
  ...server,
  answer: (socket, bytes) => {
    const nonce = /nonce=([\w-]+)/.exec(bytes.toString())?.[1] ?? assert.fail('There is no nonce.');
    const { baseUrl, sessionToken } = instanceAt(socket.localPort ?? 0);
    const body = JSON.stringify({ proof: proveIdentity(sessionToken, nonce, new URL(baseUrl).origin) });
    socket.once('data', (more: Buffer) => server.answer(socket, more));
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  },
});

/** Whether a response of the server can have a status that grants the request. */
const mayGrant = ({ name }: RudeServer): boolean =>
  /\b(body|chunk|gzip|length)\b/.test(name) && !name.startsWith('redirects');

const prove = async (port: number) => {
  const connection = await ProvenConnection.open(instanceAt(port), never());
  connection?.dispose();
  return connection && 'believed';
};
const lease = async (port: number) => {
  const taken = await takeLease(instanceAt(port), never());
  taken?.dispose();
  await taken?.ended;
  return taken && 'granted';
};
const stop = (port: number) =>
  callSettings(instanceAt(port), settingsOperations.stop).then(
    () => 'granted',
    () => undefined,
  );

describe('The look at the old port of the local service ends at a server', () => {
  testRudeServers(prove, (end) => assert.equal(end, undefined, 'nothing is believed'));
});

for (const [what, call] of [
  ['A lease', lease],
  ['A call of the settings', stop],
] as const) {
  describe(`${what} ends at a server in the place of the service`, () => {
    testRudeServers(call, (end) => assert.equal(end, undefined, 'nothing is granted'));
  });

  describe(`${what} ends at a service`, () => {
    testRudeServers(
      call,
      (end, server) => assert.ok(end === undefined || mayGrant(server), 'nothing is granted'),
      provenFirst,
    );
  });
}
