import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { createBaseApp } from '../../../src/service/http/baseApp.ts';
import { streamEvents } from '../../../src/service/http/eventStream.ts';
import { RequestFigures } from '../../../src/service/metrics/requestFigures.ts';

describe('What is told of requests', () => {
  it('counts no stream for HEAD, which opens none', async () => {
    const figures = new RequestFigures();
    const app = createBaseApp({
      logger: silentLogger,
      location: { database: 'test' },
      isReady: () => true,
      findProblem: () => undefined,
      hosts: { kind: 'loopback' },
      port: () => null,
      requestListeners: [figures],
    });
    const ending = new AbortController();
    const source = {
      subscribe: () => ({ dispose: () => undefined }),
      read: () => Promise.resolve({ frames: [], isEnd: false }),
    };
    app.get('/stream', (context) =>
      streamEvents(context, source, { signal: ending.signal, heartbeatMs: 60_000 }),
    );
    const open = (): unknown =>
      figures
        .families()
        .find(({ name }) => name === 'workflow_automation_open_streams')
        ?.samples()[0]?.value;
    await app.request('/stream', { method: 'HEAD' });
    assert.equal(open(), 0);
    const stream = await app.request('/stream');
    assert.equal(open(), 1);
    await stream.body?.cancel();
    assert.equal(open(), 0);
  });
});
