// What is asked for a new connection, after an attempt that was cancelled.
import assert from 'node:assert/strict';
import { ConnectFlow } from '../../../src/features/connections/connectFlow.ts';
import { createWorld, firstUrl, secondUrl } from '../../support/memory/world.ts';
import { settle } from '../../support/memory/ports.ts';
import { quickInputs } from '../../support/vscodeStandIn.ts';

describe('the questions for a new connection', () => {
  it('are those for the kind that goes with a key, whatever was cancelled before', async () => {
    const world = createWorld();
    const flow = new ConnectFlow(world.connections);
    const cancelled = assert.rejects(flow.ask({ kind: 'n8n', baseUrl: 'https://n8n.example' }));
    await settle();
    quickInputs.pick?.hide();
    await cancelled;
    for (const [kind, prompt] of [
      [undefined, /^Base URL/],
      ['n8n', /^Address/],
    ] as const) {
      const asking = assert.rejects(flow.ask({ apiKey: 'key', kind }));
      await settle();
      assert.match(quickInputs.box?.prompt ?? '', prompt);
      quickInputs.box?.hide();
      await asking;
    }
    world.following.dispose();
  });

  it('are of one connection each where two are asked for at once', async () => {
    const world = createWorld();
    const flow = new ConnectFlow(world.connections);
    const arrive = world.first.hold();
    const first = flow.ask({ apiKey: 'svc_sk_good', baseUrl: firstUrl });
    await settle();
    quickInputs.box?.accept();
    await settle();
    const second = assert.rejects(flow.ask({ apiKey: 'svc_sk_other', baseUrl: secondUrl }));
    await settle();
    quickInputs.box?.hide();
    await second;
    arrive();
    await settle();
    quickInputs.box?.accept();
    await settle();
    quickInputs.pick?.accept();
    const { apiKey, baseUrl } = await first;
    assert.deepEqual([apiKey, baseUrl], ['svc_sk_good', firstUrl]);
    world.following.dispose();
  });
});
