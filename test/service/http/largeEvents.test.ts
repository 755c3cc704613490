// Portal events are bounded in number and in bytes, so that no flood of large ones fills the disk.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, listAt, openStream, readEvents, textAt } from '../calls.ts';

const limit = 1_000_000;
const eventBytes = 100_000;

describe('Large portal events', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 10_000, eventLimits: { bytes: limit } });
  });
  afterEach(() => service.dispose());

  const send = async (type: string, size: number) => {
    const { body } = await call(service, 'POST', '/v1/portal/events', {
      type,
      data: { text: 'x'.repeat(size) },
    });
    return textAt(body, 'eventIds', 0);
  };
  const list = async () => listAt((await call(service, 'GET', '/v1/portal/events?limit=100')).body, 'data');

  it('are deleted oldest first once they exceed the limit, and a reader gets an error', async () => {
    const events = readEvents(await openStream(service, '/v1/portal/events'));
    // A reader that falls behind what goes is ended, so that each event is read before the next one is sent.
    const sendAndRead = async (type: string, size: number) => {
      const id = await send(type, size);
      assert.equal(
        v.parse(v.object({ value: v.object({ id: v.string() }) }), await events.next()).value.id,
        id,
      );
      return id;
    };
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await sendAndRead('many', eventBytes));
    const kept = await list();
    assert.ok(kept.length >= 8 && kept.length <= 10, String(kept.length));
    assert.deepEqual(
      kept.map((event) => textAt(event, 'id')),
      ids.slice(-kept.length).reverse(),
    );
    const gone = await call(service, 'GET', `/v1/portal/events?after=${ids[0] ?? ''}`);
    assertRefused(gone, 410, 'event_gap');
    await sendAndRead('last', 10);
    await events.return(undefined);
  });

  it('stay while they are the newest, however large', async () => {
    await send('small', 10);
    const id = await send('large', 1_040_000);
    assert.deepEqual(
      (await list()).map((event) => textAt(event, 'id')),
      [id],
    );
  });
});
