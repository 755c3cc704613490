// Whatever is sent with the key takes a place of its minute, for whichever reason it is sent.
import assert from 'node:assert/strict';
import { collect, logEvent } from '../../support/following.ts';
import { play } from '../../support/followScript.ts';
import { createScriptedClient, type ScriptedClient } from '../../support/scriptedClient.ts';

function assertCounted({ client, requests }: ScriptedClient, sent: number): void {
  assert.equal(requests.length, sent);
  assert.equal(client.budget.current.remaining, 60 - sent);
}

describe('a place of the limit is taken by', () => {
  it('each repetition of a read', async () => {
    const scripted = createScriptedClient((_path, _request, count) =>
      count < 3 ? { status: 503 } : { body: [] },
    );
    const call = scripted.client.workflows.list({});
    await scripted.clock.advance(5000);
    await call;
    assertCounted(scripted, 4);
  });

  it('each place where an operation is looked for', async () => {
    const scripted = createScriptedClient((path) =>
      path.endsWith('/activate') ? { body: { id: 'w', name: 'W' } } : { status: 405 },
    );
    await scripted.client.workflows.deploy('w');
    assertCounted(scripted, 3);
  });

  it('each page', async () => {
    const scripted = createScriptedClient((_path, _request, count) => ({
      body: { data: [{ nodeId: 'n' }], nextCursor: count < 4 ? `c${count}` : null },
    }));
    await scripted.client.executions.logs('x', {});
    assertCounted(scripted, 5);
  });

  it('each time a stream is opened again, and each look at its execution', async () => {
    const scripted = play({
      streams: [
        [logEvent(1), 'reset'],
        [logEvent(2), 'reset'],
        [`${logEvent(3)}event: end\ndata: {"status":"completed"}\n\n`, 'close'],
      ],
    });
    const follow = scripted.client.executions.follow('x', {}, new AbortController().signal);
    await collect(scripted.clock, follow, 30);
    assertCounted(scripted, 5);
  });
});
