// A follower resumes where it stopped, and ends by the execution's status and nothing else.
import assert from 'node:assert/strict';
import { isServiceError } from '../../../src/domain/errors.ts';
import { play, streamsOf } from '../../support/followScript.ts';
import { collect, endEvent, logEvent } from '../../support/following.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';

const forever = new AbortController().signal;

describe('following', () => {
  it('reads a stream to its end', async () => {
    const scripted = play({
      streams: [[`retry: 3000\n\n${logEvent(1)}: ping\n\n${logEvent(2)}${endEvent('completed')}`, 'silence']],
    });
    const { items, isOver } = await collect(
      scripted.clock,
      scripted.client.executions.follow('x', {}, forever),
    );
    assert.deepEqual(items, ['open by stream', 'l1', 'l2', 'end completed']);
    assert.ok(isOver);
    assert.equal(scripted.requests.length, 1);
    assert.equal(scripted.requests[0]?.signal.aborted, true);
    assert.equal(scripted.clock.armed, 0);
  });

  for (const ending of ['reset', 'close'] as const)
    it(`resumes after a ${ending} where it stopped`, async () => {
      const scripted = play({
        streams: [
          [`retry: 3000\n\n${logEvent(1)}${logEvent(2)}id: 3\nda`, ending],
          [`${logEvent(3)}${endEvent('failed')}`, 'silence'],
        ],
      });
      const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
      assert.deepEqual(items, [
        'open by stream',
        'l1',
        'l2',
        'lost for 3000',
        'open by stream',
        'l3',
        'end failed',
      ]);
      const [first, second] = streamsOf(scripted);
      assert.doesNotMatch(first?.url ?? '', /after/);
      assert.match(second?.url ?? '', /\?after=2$/);
      assert.equal(second?.headers['Last-Event-ID'], '2');
    });

  it('resumes after an id that came without a row', async () => {
    const scripted = play({
      streams: [
        [`${logEvent(1)}id: 5\n\n`, 'reset'],
        [endEvent('completed'), 'close'],
      ],
    });
    await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.equal(streamsOf(scripted)[1]?.headers['Last-Event-ID'], '5');
  });

  it('starts after a given sequence', async () => {
    const scripted = play({ streams: [[endEvent('completed'), 'close']] });
    await collect(scripted.clock, scripted.client.executions.follow('x', { after: 7 }, forever));
    assert.match(streamsOf(scripted)[0]?.url ?? '', /after=7$/);
  });

  it('doubles nothing where a service replays from the start', async () => {
    const scripted = play({
      streams: [
        [logEvent(1) + logEvent(2), 'reset'],
        [logEvent(1) + logEvent(2) + logEvent(3) + endEvent('completed'), 'close'],
      ],
    });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, [
      'open by stream',
      'l1',
      'l2',
      'lost for 1000',
      'open by stream',
      'l3',
      'end completed',
    ]);
  });

  it('verifies after a drop: an execution that ended meanwhile ends with its last rows', async () => {
    const scripted = play({ streams: [[logEvent(1), 'reset']], statuses: ['completed'], logs: [[2, 3]] });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, ['open by stream', 'l1', 'lost for 1000', 'l2', 'l3', 'end completed']);
    assert.equal(streamsOf(scripted).length, 1);
  });

  it('takes 60 s of silence for a dead connection', async () => {
    const scripted = play({
      streams: [
        [logEvent(1), 'silence'],
        [endEvent('completed'), 'close'],
      ],
    });
    const follow = scripted.client.executions.follow('x', {}, forever);
    const { items } = await collect(scripted.clock, follow);
    assert.deepEqual(items, ['open by stream', 'l1', 'lost for 1000', 'open by stream', 'end completed']);
  });

  it('backs off while the service is away, and starts anew after a row', async () => {
    const away = { status: 500 };
    const scripted = play({
      streams: [away, away, away, [logEvent(1), 'reset'], [endEvent('completed'), 'close']],
    });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, [
      'lost for 1000',
      'lost for 2000',
      'lost for 4000',
      'open by stream',
      'l1',
      'lost for 1000',
      'open by stream',
      'end completed',
    ]);
  });

  it('takes 204 for finished and asks for the status', async () => {
    const scripted = play({ streams: [{ status: 204 }], statuses: ['cancelled'], logs: [[1]] });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, ['l1', 'end cancelled']);
  });

  it('polls on when the stream says it is over and the execution is not', async () => {
    const scripted = play({
      streams: [[`${logEvent(1)}data: [DONE]\n\n`, 'close']],
      statuses: ['running', 'running', 'completed'],
      logs: [[1, 2], [3]],
    });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, ['open by stream', 'l1', 'open by polling', 'l2', 'l3', 'end completed']);
  });

  const noStream: readonly (readonly [string, ScriptedAnswer])[] = [
    ['a list comes instead', { body: { data: [] } }],
    ['the service refuses the type', { status: 406 }],
    ['the endpoint is missing', { status: 405 }],
    [
      'an event is too large',
      { headers: { 'content-type': 'text/event-stream' }, body: `data: ${'x'.repeat(9 * 1024 * 1024)}` },
    ],
  ];
  for (const [title, answer] of noStream)
    it(`polls when ${title}`, async () => {
      const scripted = play({
        streams: [answer],
        statuses: ['queued', 'running', 'completed'],
        logs: [[], [1], [1, 2]],
      });
      const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
      assert.deepEqual(items.slice(-4), ['open by polling', 'l1', 'l2', 'end completed']);
      assert.equal(scripted.clock.armed, 0);
    });

  it('reads a record that has the logs once for each poll', async () => {
    let count = 0;
    const { client, clock, requests } = createScriptedClient((path) => {
      if (path !== '/executions/x') return { status: 405 };
      count += 1;
      const logs = Array.from({ length: count }, (_, at) => ({ id: `l${at}`, nodeId: 'n', message: 'm' }));
      return { body: { id: 'x', status: count < 3 ? 'running' : 'completed', logs } };
    });
    const { items } = await collect(clock, client.executions.follow('x', {}, forever));
    assert.deepEqual(items, ['open by polling', 'l0', 'l1', 'l2', 'end completed']);
    assert.equal(requests.filter(({ url }) => url.endsWith('/executions/x')).length, 3);
  });

  it('reads a log of any number of pages whose rows have no sequence', async () => {
    const pages = 70;
    const { client, clock } = createScriptedClient((path, { isStream }) => {
      if (isStream) return { status: 406 };
      if (!path.includes('/logs')) return { body: { id: 'x', status: 'completed' } };
      const page = Number(/cursor=(\d+)/.exec(path)?.[1] ?? 0);
      const data = [{ id: `l${page}`, nodeId: 'n', message: 'm' }];
      return { body: { data, nextCursor: page + 1 < pages ? `${page + 1}` : null } };
    });
    const { rows, isWhole } = await client.executions.logs('x', {});
    assert.deepEqual([rows.length, isWhole], [50, false]);
    const { items } = await collect(clock, client.executions.follow('x', {}, forever));
    assert.deepEqual(items, [
      'paused for 60000',
      'open by polling',
      ...Array.from({ length: pages }, (_row, page) => `l${page}`),
      'end completed',
    ]);
  });

  it('polls ever more slowly while nothing comes', async () => {
    const cancel = new AbortController();
    const times: number[] = [];
    const { client, clock } = createScriptedClient((path, { isStream }) => {
      if (isStream) return { status: 406 };
      if (path.includes('/logs')) return { body: [] };
      times.push(clock.now());
      return { body: { id: 'x', status: 'running' } };
    });
    await collect(clock, client.executions.follow('x', {}, cancel.signal), 60);
    cancel.abort();
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.deepEqual(gaps, [1800, 2700, 4500, 7200, 13_500, 13_500, 13_500]);
  });

  const fatal: readonly (readonly [number, string])[] = [
    [401, 'keyRejected'],
    [403, 'forbidden'],
    [404, 'notFound'],
  ];
  for (const [status, kind] of fatal)
    it(`gives up after ${status}, also when reconnecting`, async () => {
      const body = { error: { code: 'x', message: 'No.' } };
      const scripted = play({ streams: [[logEvent(1), 'reset']], statuses: [{ status, body }] });
      const { items, error } = await collect(
        scripted.clock,
        scripted.client.executions.follow('x', {}, forever),
      );
      assert.deepEqual(items, ['open by stream', 'l1', 'lost for 1000']);
      assert.ok(isServiceError(error) && error.reason.kind === kind);
      assert.equal(scripted.clock.armed, 0);
    });

  const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>Busy</body></html>' };
  const cut = { headers: { 'content-type': 'application/json' }, body: '{"id":"x","stat' };

  it('polls on after a page or a cut response of what stands before the service', async () => {
    const scripted = play({
      streams: [{ status: 406 }],
      statuses: ['running', page, cut, 'running', page, 'completed'],
      logs: [[1]],
    });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, [
      'open by polling',
      'l1',
      'lost for 1000',
      'lost for 2000',
      'open by polling',
      'lost for 1000',
      'open by polling',
      'end completed',
    ]);
  });

  it('gives up where nothing but pages comes', async () => {
    const scripted = play({ streams: [{ status: 406 }], statuses: ['running', page], logs: [[1]] });
    const { items, error } = await collect(
      scripted.clock,
      scripted.client.executions.follow('x', {}, forever),
    );
    const lost = ['lost for 1000', 'lost for 2000', 'lost for 4000'];
    assert.deepEqual(items, ['open by polling', 'l1', ...lost]);
    assert.ok(isServiceError(error, 'unreadable'));
  });

  it('says how long the limit makes it wait', async () => {
    const limited = { status: 429, headers: { 'retry-after': '20' } };
    const scripted = play({ streams: [limited, [endEvent('completed'), 'close']] });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, ['paused for 20000', 'open by stream', 'end completed']);
  });

  it('reads from the start when the position was pruned, without doubling', async () => {
    const scripted = play({
      streams: [
        [logEvent(1), 'reset'],
        { status: 410, body: { error: { code: 'event_gap', message: 'Pruned.' } } },
        [logEvent(1) + logEvent(2) + endEvent('completed'), 'close'],
      ],
    });
    const { items } = await collect(scripted.clock, scripted.client.executions.follow('x', {}, forever));
    assert.deepEqual(items, [
      'open by stream',
      'l1',
      'lost for 1000',
      'open by stream',
      'l2',
      'end completed',
    ]);
    assert.doesNotMatch(streamsOf(scripted)[2]?.url ?? '', /after/);
  });
});
