// Whatever a server does to the client's calls and streams, they end with an error of a known kind.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import type { Clock } from '../../../src/base/time.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { testRudeServers } from '../../support/rudeTable.ts';
import { createSocketClients, type SocketClients } from '../../support/socketClients.ts';

/** How many times sooner than in use a time limit passes. */
const haste = 60;

/** Time limits stay in their proportions, and pauses are short. */
function createShortClock(): Clock {
  const clock = createHastyClock();
  return {
    now: clock.now,
    schedule: (callback, delayMs, kind) =>
      clock.schedule(callback, kind === 'deadline' ? delayMs / haste : delayMs, kind),
  };
}

const kinds = /^(unreachable|unreadable|invalid)$/;

describe('The client ends at a server', () => {
  let clients: SocketClients;
  before(() => {
    clients = createSocketClients(createShortClock());
  });
  after(() => clients.dispose());

  describe('with a call', () => {
    testRudeServers(
      async (port) => {
        const client = clients.connect(port);
        try {
          await client.workflows.list({ limit: 1 });
          return undefined;
        } catch (error) {
          assert.ok(error instanceof ServiceError, String(error));
          return error.reason.kind;
        } finally {
          client.dispose();
        }
      },
      (end, { isFailure }) => {
        if (isFailure) assert.match(end ?? 'none', kinds);
      },
    );
  });

  describe('with a stream, which is tried again until its reader leaves', () => {
    testRudeServers(
      async (port) => {
        const client = clients.connect(port);
        const leaving = new AbortController();
        try {
          for await (const item of client.executions.follow('x', {}, leaving.signal))
            if (item.kind === 'lost') {
              leaving.abort();
              return item.error instanceof ServiceError ? item.error.reason.kind : 'other';
            }
          return undefined;
        } catch (error) {
          if (error instanceof ServiceError) return error.reason.kind;
          assert.ok(isAbortError(error), String(error));
          return 'left';
        } finally {
          leaving.abort();
          client.dispose();
        }
      },
      (end, { isFailure }) => {
        if (isFailure) assert.match(end ?? 'none', /^(unreachable|unreadable|invalid|left)$/);
      },
    );
  });
});
