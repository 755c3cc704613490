// Responses that nobody reads: what a client leaves unread is abandoned, and a key has few of them. Over sockets that don't read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { limits } from '../../../src/protocol/operations.ts';
import { createResponseSlots, type OpenSlots } from '../../../src/service/http/openSlots.ts';
import { type Listener, listen } from '../../../src/service/process/listen.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  type Answer,
  call,
  readEvents,
  type Service,
  textAt,
  toCompleteResponse,
} from '../calls.ts';

/** More than the system takes over from the service for a client that doesn't read, so that a part stays with the service. */
const answerBytes = 4_900_000;

describe('Responses that nobody reads', () => {
  let service: TestService;
  let places: OpenSlots;
  let listener: Listener;
  let path = '';
  let stalls = 0;
  const sockets: Socket[] = [];

  const begin = async (stallMs: number): Promise<void> => {
    places = createResponseSlots();
    service = await createTestService({ requestsPerMinute: 1000, answerPlaces: places });
    stalls = 0;
    listener = await listen(service.app, 0, { stallMs, onStall: () => (stalls += 1) });
    const nodes = [{ id: 'a', type: 'trigger', config: { text: 'x'.repeat(answerBytes) } }];
    const { body } = await call(service, 'POST', '/v1/workflows/import', { name: 'Large', nodes, edges: [] });
    path = `/v1/workflows/${textAt(body, 'id')}`;
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    service.endStreams();
    await listener.close();
    await service.dispose();
  });

  const overSockets = (key = service.key): Service => ({
    key,
    app: { request: (where, init) => fetch(`http://127.0.0.1:${listener.port}${where}`, init) },
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(listener.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };

  /** Requests the large response and reads nothing of it; resolves when it has started. */
  const ask = async (socket: Socket): Promise<Socket> => {
    const request = [
      `GET ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${service.key}`,
      '',
      '',
    ];
    socket.write(request.join('\r\n'));
    await once(socket, 'readable');
    return socket;
  };

  const leaveUnread = async (): Promise<Socket> => ask(await open());

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await call(overSockets(), 'GET', '/health');
  };

  it('are closed, while a stream without news stays open', async () => {
    await begin(300);
    const stream = await fetch(`http://127.0.0.1:${listener.port}/v1/portal/events`, {
      headers: { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream' },
    });
    await Promise.all([leaveUnread(), leaveUnread()]);
    assert.equal(places.count, 2);
    await until(() => stalls === 2 && places.count === 0);
    await call(service, 'POST', '/v1/portal/events', { type: 'after' });
    for await (const { event } of readEvents(stream)) {
      assert.equal(event, 'portal.after');
      break;
    }
  });

  it('are closed if they are streams that have something to send', async () => {
    await begin(300);
    path = '/v1/portal/events/stream';
    await ask(await open());
    assert.equal(places.count, 0, 'a stream has a place of its own');
    const data = { text: 'x'.repeat(900_000) };
    for (let count = 0; count < 8; count += 1)
      await call(service, 'POST', '/v1/portal/events', { type: 'large', data });
    await until(() => stalls === 1);
  });

  it('are not closed while their client reads, however slowly', async () => {
    await begin(1500);
    const socket = await leaveUnread();
    let length = 0;
    const reading = setInterval(() => {
      const piece: unknown = socket.read(Math.min(socket.readableLength, 100_000));
      if (piece instanceof Buffer) length += piece.length;
    }, 50);
    await until(() => length > answerBytes);
    clearInterval(reading);
    assert.equal(stalls, 0);
  });

  it('are refused if a key has too many, while other keys are served', async () => {
    await begin(60_000);
    for (let count = 0; count < limits.responsesPerKey; count += 1) await leaveUnread();
    const refused = await call(overSockets(), 'GET', '/v1/workflows');
    assertRefused(refused, 429, 'too_many_answers');
    assert.equal(refused.headers.get('Retry-After'), '1');
    assert.match(
      textAt(refused.body, 'error', 'message'),
      /^This API key already has 20 unread responses, the maximum; /,
    );
    const other = overSockets((await service.store.keys.create('other', 'never')).key);
    assert.equal((await call(other, 'GET', path)).status, 200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(() => places.count === 0);
    assert.equal((await call(overSockets(), 'GET', path)).status, 200);
  });

  it('do not exceed the limit when many are requested at once', async () => {
    await begin(60_000);
    const opened = await Promise.all(Array.from({ length: limits.responsesPerKey + 10 }, open));
    const begun = await Promise.all(opened.map(async (socket) => String((await ask(socket)).read(12) ?? '')));
    assert.equal(begun.filter((head) => head === 'HTTP/1.1 429').length, 10);
    assert.equal(places.count, limits.responsesPerKey);
  });

  it('take no slot once they are read', async () => {
    await begin(60_000);
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 60 }, async () =>
        toCompleteResponse(
          await fetch(`http://127.0.0.1:${listener.port}/v1/workflows`, { headers: headers() }),
        ),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    await until(() => places.count === 0);
  });

  const headers = (): Record<string, string> => ({ Authorization: `Bearer ${service.key}` });
});
