// Whoever stops following leaves no connection and no timer behind.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { play } from '../../support/followScript.ts';
import { collect, eventStream, logEvent } from '../../support/following.ts';
import { settle } from '../../support/memory/ports.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

const forever = new AbortController().signal;

describe('following, closed', () => {
  it('closes everything when it is aborted', async () => {
    const scripted = play({ streams: [[logEvent(1), 'silence']] });
    const cancel = new AbortController();
    const reading = collect(scripted.clock, scripted.client.executions.follow('x', {}, cancel.signal), 1);
    await reading;
    cancel.abort();
    await settle();
    assert.equal(scripted.requests[0]?.signal.aborted, true);
    assert.equal(scripted.clock.armed, 0);
  });

  it('closes everything when the iterator is returned while it waits', async () => {
    const scripted = play({ streams: [['', 'silence']] });
    const iterator = scripted.client.executions.follow('x', {}, forever)[Symbol.asyncIterator]();
    assert.deepEqual((await iterator.next()).value, { kind: 'open', by: 'stream' });
    const waiting = iterator.next();
    const returned = iterator.return?.();
    await assert.rejects(waiting, isAbortError);
    await returned;
    assert.equal(scripted.requests[0]?.signal.aborted, true);
    assert.equal(scripted.clock.armed, 0);
  });

  it('closes a stream that was opened where the list beside it fails', async () => {
    const { client, requests } = createScriptedClient((_path, request) =>
      eventStream('', 'silence', request),
    );
    const list = {
      prepare: () => Promise.resolve(),
      newestId: () => undefined,
      catchUp: () => Promise.reject(new ServiceError({ kind: 'unavailable' }, 'x', { status: 503 })),
      untilNextPoll: () => Promise.resolve(),
    };
    const iterator = client.portalEvents.stream(undefined, forever, list)[Symbol.asyncIterator]();
    const first = await iterator.next();
    assert.ok(first.done !== true);
    assert.equal(first.value.kind, 'lost');
    assert.equal(requests[0]?.signal.aborted, true);
    await iterator.return?.();
  });

  it('closes everything when the client ends', async () => {
    const scripted = play({ streams: [['', 'silence']] });
    const reading = collect(scripted.clock, scripted.client.executions.follow('x', {}, forever), 3);
    await settle();
    scripted.client.dispose();
    const { error } = await reading;
    assert.ok(isAbortError(error));
    assert.equal(scripted.clock.armed, 0);
  });
});
