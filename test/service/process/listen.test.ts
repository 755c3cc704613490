import assert from 'node:assert/strict';
import { Server } from 'node:http';
import { Hono } from 'hono';
import type { ServiceEnvironment } from '../../../src/service/http/routes.ts';
import { listen } from '../../../src/service/process/listen.ts';

describe('A listening service', () => {
  it('reports a connection that cannot be accepted, and goes on', async () => {
    const failure = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
    const app = new Hono<ServiceEnvironment>();
    // As Node reports it on Windows; elsewhere it closes such a connection itself.
    app.get('/fail', ({ env, text }) => {
      const server: unknown = Reflect.get(env.outgoing?.socket ?? {}, 'server');
      assert.ok(server instanceof Server);
      server.emit('error', failure);
      return text('');
    });
    const failures: Error[] = [];
    const listener = await listen(app, 0, { onError: (error) => failures.push(error) });
    for (let count = 0; count < 2; count += 1)
      assert.equal((await fetch(`http://127.0.0.1:${listener.port}/fail`)).status, 200);
    assert.deepEqual(failures, [failure, failure]);
    await listener.close();
  });
});
