// An execution that goes on while it is stepped through.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { makeNodeLog, statusOf } from '../../../support/memory/records.ts';
import { TestClient, TestRecording } from './client.ts';

const status = statusOf('completed');
const start = makeNodeLog(1, { nodeId: 'start', status });
const running = makeNodeLog(2, { nodeId: 'ask', status: statusOf('running') });
const failed = makeNodeLog(3, {
  nodeId: 'ask',
  status: statusOf('failed'),
  error: { code: 'http_error', message: 'Busy.', nodeId: null },
});

describe('a session of an execution that goes on', () => {
  let client: TestClient;
  let recording: TestRecording;
  afterEach(() => client.session.dispose());

  const launch = async (rows: readonly NodeLog[]) => {
    recording = new TestRecording(['start', 'ask', 'end'], rows);
    recording.hasEnded = false;
    client = new TestClient(recording);
    await client.launch(() => client.ask('setExceptionBreakpoints', { filters: ['failed'] }));
  };
  const here = () => [client.current.run.nodeId, client.current.state];

  it('stops at a node that was running when it went on, and fails', async () => {
    await launch([start, running]);
    const stopped = client.next('stopped');
    await client.ask('continue');
    recording.add([failed]);
    recording.end();
    await stopped;
    assert.deepEqual(here(), ['ask', 'failed']);
    const ended = client.next('terminated');
    await client.ask('continue');
    await ended;
  });

  it('stops at a node where it stands once that has failed', async () => {
    await launch([start, running]);
    await client.go('next');
    assert.deepEqual(here(), ['ask', 'running']);
    recording.add([failed]);
    await client.go('continue');
    assert.deepEqual(here(), ['ask', 'failed']);
  });

  it('does not stop again at what it had passed when such a node failed', async () => {
    const loop = makeNodeLog(2, { nodeId: 'ask', nodeType: 'forEach', status: statusOf('running') });
    const inLoop = makeNodeLog(3, { nodeId: 'end', iteration: [0], status });
    await launch([start, loop, inLoop]);
    await client.breakAt(5);
    await client.go('continue');
    assert.deepEqual(here(), ['end', 'completed']);
    const stopped = client.next('stopped');
    await client.ask('continue');
    recording.add([{ ...failed, key: 'log_4', sequence: 4, nodeType: 'forEach' }]);
    recording.end();
    await stopped;
    assert.deepEqual(here(), ['ask', 'failed']);
    const ended = client.next('terminated');
    await client.ask('continue');
    await ended;
  });

  it('goes on past a node that completes', async () => {
    await launch([start, running]);
    const ended = client.next('terminated');
    await client.ask('continue');
    recording.add([{ ...failed, status, error: null }]);
    recording.end();
    await ended;
    assert.equal(client.stops.length, 1);
  });
});
