import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { createBaseApp } from '../../../src/service/http/baseApp.ts';
import { streamToWindow } from '../../../src/service/http/eventStream.ts';
import { createResponseSlots, createStreamSlots } from '../../../src/service/http/openSlots.ts';
import type { ServiceApp } from '../../../src/service/http/routes.ts';
import { RequestFigures } from '../../../src/service/metrics/requestFigures.ts';

describe('The report of requests', () => {
  let figures: RequestFigures;
  let app: ServiceApp;
  beforeEach(() => {
    figures = new RequestFigures();
    app = createBaseApp({
      logger: silentLogger,
      location: { database: 'test' },
      isReady: () => true,
      findProblem: () => undefined,
      readWork: () => Promise.resolve(undefined),
      hosts: { kind: 'loopback' },
      port: () => null,
      requestListeners: [figures],
    });
  });

  const samplesOf = (name: string) =>
    figures
      .families()
      .find((family) => family.name === `workflow_automation_${name}`)
      ?.samples();

  it('counts no stream for HEAD, which opens none', async () => {
    const ending = new AbortController();
    const source = {
      subscribe: () => ({ dispose: () => undefined }),
      read: () => Promise.resolve({ frames: [], isEnd: false }),
    };
    app.get('/stream', (context) =>
      streamToWindow(context, source, { signal: ending.signal, heartbeatMs: 60_000 }),
    );
    const open = (): unknown => samplesOf('open_streams')?.[0]?.value;
    await app.request('/stream', { method: 'HEAD' });
    assert.equal(open(), 0);
    const stream = await app.request('/stream');
    assert.equal(open(), 1);
    await stream.body?.cancel();
    assert.equal(open(), 0);
  });

  it('counts which limit of a key was reached', async () => {
    const [answers, streams] = [createResponseSlots(0), createStreamSlots(0)];
    app.get('/answers', (context) => {
      answers.check('key');
      return context.text('');
    });
    app.get('/streams', (context) => {
      streams.check('key');
      return context.text('');
    });
    for (const path of ['/answers', '/streams', '/streams'])
      assert.equal((await app.request(path)).status, 429);
    assert.deepEqual(samplesOf('http_requests_limited_total'), [
      { labels: { code: 'rate_limited' }, value: 0 },
      { labels: { code: 'too_many_answers' }, value: 1 },
      { labels: { code: 'too_many_streams' }, value: 2 },
    ]);
  });
});
