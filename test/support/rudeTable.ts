// Runs a caller over the table of rude servers, all at once: each call ends within a time that only a fault passes, and leaves no socket.
import assert from 'node:assert/strict';
import { type RudeServer, rudeServers, serveRudely } from './rudeServers.ts';

/** How a call ended: undefined when it took the answer, else the words or the kind of its failure. */
type RudeEnd = string | undefined;

const boundMs = 20_000;

/** One test for each server; `check` judges how the call ended. `prepare` makes a server that is rude only later. */
export function testRudeServers(
  call: (port: number, server: RudeServer) => Promise<RudeEnd>,
  check: (end: RudeEnd, server: RudeServer) => void,
  prepare: (server: RudeServer) => RudeServer = (server) => server,
): void {
  const meetings = new Map<RudeServer, Promise<RudeEnd>>();
  before(() => {
    for (const server of rudeServers) {
      const meeting = meet(prepare(server), call);
      // Judged by the server's own test.
      meeting.catch(() => undefined);
      meetings.set(server, meeting);
    }
  });
  for (const server of rudeServers)
    it(`that ${server.name}`, async () => {
      const meeting = meetings.get(server) ?? assert.fail('There was no call.');
      check(await meeting, server);
    }).timeout(2 * boundMs);
}

async function meet(
  server: RudeServer,
  call: (port: number, server: RudeServer) => Promise<RudeEnd>,
): Promise<RudeEnd> {
  const running = await serveRudely(server);
  try {
    const end = await within(call(running.port, server), 'The call does not end.');
    await within(running.closed(), 'A socket is left open.');
    return end;
  } finally {
    running.close();
  }
}

async function within<T>(promise: Promise<T>, words: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(words)), boundMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
