// A command of the user waits for the limit in sight, as long as that takes; whatever nobody watches gives up soon.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import { RequestWaits } from '../../../src/model/requestWaits.ts';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';

function start(retryAfter: number) {
  const waits = new RequestWaits();
  let isLimited = true;
  const scripted = createScriptedClient(
    () => (isLimited ? { status: 429, headers: { 'Retry-After': String(retryAfter) } } : { body: [] }),
    undefined,
    undefined,
    undefined,
    waits,
  );
  const shown: (number | null)[] = [];
  waits.until.onDidChange((until) =>
    shown.push(until === null ? null : Math.round((until - scripted.clock.now()) / 1000)),
  );
  const free = (): void => {
    isLimited = false;
  };
  return { ...scripted, waits, shown, free };
}

describe('a request that meets the limit', () => {
  it('is refused at once where nobody waits for it', async () => {
    const { client, shown } = start(50);
    assert.equal(await kindOf(client.workflows.list({})), 'rateLimited');
    assert.equal(await kindOf(client.workflows.list({})), 'rateLimited');
    assert.deepEqual(shown, []);
  });

  it('waits in sight of the user, then is sent', async () => {
    const { client, clock, free, shown, waits, requests } = start(50);
    const command = waits.attend();
    const listing = client.workflows.list({});
    await clock.advance(1);
    free();
    assert.deepEqual(shown, [50]);
    await clock.advance(49_000);
    assert.equal(requests.length, 1);
    await clock.advance(2000);
    assert.deepEqual((await listing).items, []);
    assert.deepEqual(shown, [50, null]);
    command.dispose();
    assert.ok(!waits.isAttended('asked'));
  });

  it('is shown also where it would have waited anyway', async () => {
    const { client, clock, free, shown, waits } = start(9);
    waits.attend();
    const executing = client.workflows.execute('w', {});
    await clock.advance(1);
    free();
    assert.deepEqual(shown, [9]);
    await clock.advance(10_000);
    await executing;
  });

  it('shows the longer wait where a late response says that the limit ends later', async () => {
    const late = Promise.withResolvers<ScriptedAnswer>();
    const waits = new RequestWaits();
    const refusal = (seconds: string) => ({ status: 429, headers: { 'Retry-After': seconds } });
    const { client, clock } = createScriptedClient(
      (_path, _request, count) => [late.promise, refusal('20')][count] ?? { body: [] },
      undefined,
      undefined,
      undefined,
      waits,
    );
    const shown: (number | null)[] = [];
    const began = clock.now();
    waits.until.onDidChange((until) =>
      shown.push(until === null ? null : Math.round((until - began) / 1000)),
    );
    waits.attend();
    const other = client.portalEvents.list({}, { purpose: 'portalEvents' });
    await clock.advance(1);
    const listing = client.workflows.list({});
    await clock.advance(10_000);
    late.resolve(refusal('40'));
    await clock.advance(1);
    assert.deepEqual(shown, [20, 50]);
    await clock.advance(60_000);
    await Promise.all([listing, other]);
    assert.deepEqual(shown, [20, 50, null]);
  });

  it('is not sent any more once the user has cancelled', async () => {
    const { client, clock, shown, waits, requests } = start(50);
    waits.attend();
    const listing = assert.rejects(client.workflows.list({}), isAbortError);
    await clock.advance(1);
    waits.cancelAll();
    await listing;
    assert.deepEqual(shown, [50, null]);
    await clock.advance(60_000);
    assert.equal(requests.length, 1);
  });

  it('is refused at once where the wait is longer than a minute', async () => {
    const { client, waits, shown } = start(600);
    waits.attend();
    assert.equal(await kindOf(client.workflows.list({})), 'rateLimited');
    assert.deepEqual(shown, []);
  });

  it('of a view or in the background is no matter of the command that runs meanwhile', async () => {
    const { client, waits, shown, clock, free } = start(20);
    waits.attend();
    const refresh = client.workflows.list({}, { purpose: 'workflows' });
    await clock.advance(1);
    free();
    assert.deepEqual(shown, []);
    await clock.advance(30_000);
    await refresh;
  });

  it('waits also where another request meets the limit just before it is sent', async () => {
    // The other request's answer comes at each possible moment of this one's way.
    for (let turns = 0; turns < 60; turns += 1) {
      const { client, clock, free, waits } = start(20);
      waits.attend();
      const other = client.workflows.list({}, { purpose: 'workflows' });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const listing = client.workflows.list({ limit: 10 });
      await clock.advance(1);
      free();
      await clock.advance(60_000);
      assert.deepEqual((await listing).items, [], `${turns} turns later`);
      await other;
    }
  });
});
