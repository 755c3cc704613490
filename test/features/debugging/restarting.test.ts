// A frame that is restarted goes on in a new execution, from its node.
import assert from 'node:assert/strict';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';

const status = statusOf('completed');
const rows = [
  makeNodeLog(1, { nodeId: 'start', status, reusedFrom: 'log_9' }),
  makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status, reusedFrom: 'log_8' }),
  makeNodeLog(3, { nodeId: 'ask', iteration: [0], status }),
];

describe('a frame that is restarted', () => {
  let client: HeldClient;
  const retried: string[] = [];
  const open = (recording: TestRecording, isOffered: boolean, end: () => Promise<void>) => {
    retried.length = 0;
    client = new HeldClient(recording, 'start', {
      isOffered: () => isOffered,
      retry: async ({ run }) => {
        retried.push(run.nodeId);
        await end();
      },
    });
  };
  const toAsk = async (): Promise<void> => {
    await client.launch();
    await client.breakAt(5);
    await client.go('continue');
  };
  const canRestart = async () => (await client.frames()).map((frame) => frame.canRestart);
  const recording = () => new TestRecording(['start', 'each', 'ask'], rows);
  afterEach(() => client.session.dispose());

  it('is that of a node or of a loop, and ends the session', async () => {
    open(recording(), true, () => Promise.resolve());
    await toAsk();
    assert.deepEqual(await canRestart(), [true, true, false]);
    const terminated = client.next('terminated');
    await client.ask('restartFrame', { frameId: 2 });
    await terminated;
    assert.deepEqual(retried, ['each']);
  });

  it('stays where it is when the person cancels', async () => {
    open(recording(), true, () => Promise.reject(new DOMException('Cancelled', 'AbortError')));
    await toAsk();
    const stopped = client.next('stopped');
    await client.ask('restartFrame', { frameId: 1 });
    await stopped;
    assert.equal(client.current.run.nodeId, 'ask');
  });

  it('is not offered where the service cannot retry', async () => {
    open(recording(), false, () => Promise.resolve());
    await toAsk();
    assert.deepEqual(await canRestart(), [false, false, false]);
  });

  it('stops first at the node that runs again, once it does', async () => {
    const live = new TestRecording(['start', 'each', 'ask'], rows.slice(0, 2));
    live.hasEnded = false;
    client = new HeldClient(live, { retried: { nodeId: 'ask', iteration: [0] } });
    await client.ask('initialize');
    await client.ask('launch');
    const stopped = client.next('stopped');
    await client.ask('configurationDone');
    assert.equal(client.stops.length, 0);
    live.add(rows.slice(2));
    await stopped;
    assert.equal(client.current.run.nodeId, 'ask');
  });

  it('stops at the last run where the node is not reached again', async () => {
    client = new HeldClient(recording(), { retried: { nodeId: 'ask', iteration: [1] } });
    await client.launch();
    assert.equal(client.current.run.nodeId, 'ask');
  });
});
