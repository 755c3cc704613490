// Whatever listens where the local service was, the look at it ends.
import assert from 'node:assert/strict';
import { ProvenConnection } from '../../src/launcher/lease.ts';
import { testRudeServers } from '../support/rudeTable.ts';

describe('The look at the old port of the local service ends at a server', () => {
  testRudeServers(
    async (port) => {
      const instance = { baseUrl: `http://127.0.0.1:${port}/v1`, pid: process.pid, sessionToken: 'token' };
      const connection = await ProvenConnection.open(instance, new AbortController().signal);
      connection?.dispose();
      return connection && 'believed';
    },
    (end) => assert.equal(end, undefined, 'nothing is believed'),
  );
});
