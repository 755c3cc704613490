// Executions that begin or end elsewhere are heard of by one stream, however many listen, and by none where nobody looks.
import assert from 'node:assert/strict';
import type { HttpPort } from '../../../src/api/http/httpPort.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { type ExecutionEvent, ExecutionEvents } from '../../../src/model/executions/executionEvents.ts';
import { createAppPort } from '../../support/appPort.ts';
import {
  createPortalEventsWorld,
  type PortalEventsWorld,
  stateWhen,
} from '../../support/portalEventsWorld.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const seen = { isVisible: true, isFocused: true };
const hidden = { isVisible: false, isFocused: true };

describe('events of executions', () => {
  let service: TestService;
  let world: PortalEventsWorld;
  let events: ExecutionEvents;
  let connectionId: string;
  let hasStreams: boolean;
  let streams: number;
  let opened: PromiseWithResolvers<undefined>;
  let requests: number;
  const heard: ExecutionEvent[] = [];

  const publish = (type: string, executionId: string): Promise<string> =>
    service.store.portalEvents.append({ type, data: { workflowId: 'w1', executionId } });
  /** The next that names an execution. */
  const nextEvent = () =>
    new Promise<ExecutionEvent>((resolve) => {
      const subscription = events.onDidReceive((each) => {
        if (each.executionId === null) return;
        subscription.dispose();
        resolve(each);
      });
    });

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    hasStreams = true;
    streams = 0;
    requests = 0;
    opened = Promise.withResolvers();
    heard.length = 0;
    const inner = createAppPort(service.app);
    const http: HttpPort = async (url, request) => {
      requests += 1;
      if (request.headers['Accept'] !== 'text/event-stream') return inner(url, request);
      if (!hasStreams) {
        const response = Response.json({ error: { code: 'not_acceptable' } }, { status: 406 });
        const { status, statusText, headers } = response;
        opened.resolve(undefined);
        return { status, statusText, headers, body: null };
      }
      const response = await inner(url, request);
      streams += 1;
      request.signal.addEventListener('abort', () => (streams -= 1), { once: true });
      opened.resolve(undefined);
      return response;
    };
    world = createPortalEventsWorld({ http, clock: systemClock });
    world.portalEvents.setListenMode('whenVisible');
    connectionId = await world.connect('http://127.0.0.1:4101/v1', service.key);
    const { connections, clients, portalEvents } = world;
    events = new ExecutionEvents({ connections, clients, portalEvents, logger: silentLogger });
    events.onDidReceive((each) => heard.push(each));
  });
  afterEach(async () => {
    events.dispose();
    world.dispose();
    await service.dispose();
  });

  it('come by a stream of their own, which costs one request, while a view of executions is visible', async () => {
    assert.equal(requests, 0);
    events.setAttention(seen);
    await opened.promise;
    assert.deepEqual([requests, streams], [1, 1]);
    const told = nextEvent();
    await publish('node.started', 'e1');
    await publish('execution.completed', 'e1');
    assert.deepEqual(await told, { connectionId, workflowId: 'w1', executionId: 'e1' });
    // Opening tells nothing about what was before.
    const anything = { connectionId, workflowId: null, executionId: null };
    assert.deepEqual(heard, [anything, await told]);
    events.setAttention({ isVisible: true, isFocused: false });
    assert.equal(streams, 1);
    events.setAttention(hidden);
    assert.equal(streams, 0);
  });

  it('come by the stream that the Portal Events view has open, and by no second one', async () => {
    events.setAttention(seen);
    await opened.promise;
    world.portalEvents.setAttention(seen);
    await stateWhen(world.portalEvents, ({ listening }) => listening.kind === 'live');
    assert.equal(streams, 1);
    const told = nextEvent();
    await publish('execution.failed', 'e2');
    assert.deepEqual(await told, { connectionId, workflowId: 'w1', executionId: 'e2' });
    assert.equal(heard.filter((each) => each.executionId !== null).length, 1);
    assert.deepEqual(heard.at(-2), { connectionId, workflowId: null, executionId: null });
    opened = Promise.withResolvers();
    world.portalEvents.setAttention(hidden);
    await opened.promise;
    assert.equal(streams, 1);
  });

  it('are not listened for where the setting says never', async () => {
    world.portalEvents.setListenMode('never');
    events.setAttention(seen);
    assert.equal(requests, 0);
    world.portalEvents.setListenMode('whenVisible');
    await opened.promise;
    world.portalEvents.setListenMode('never');
    assert.equal(streams, 0);
  });

  it('that are more than were read tell that anything may have happened', async () => {
    world.portalEvents.setListenMode('never');
    await publish('execution.started', 'e0');
    await world.portalEvents.refresh();
    heard.length = 0;
    for (let at = 1; at <= 101; at += 1) await publish('execution.started', `e${at}`);
    await world.portalEvents.refresh();
    assert.deepEqual(heard, [{ connectionId, workflowId: null, executionId: null }]);
  });

  it('are not polled for where the service has no stream', async () => {
    hasStreams = false;
    events.setAttention(seen);
    await opened.promise;
    await new Promise((resolve) => setImmediate(resolve));
    const before = requests;
    events.setAttention(hidden);
    events.setAttention(seen);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(requests, before);
  });
});
