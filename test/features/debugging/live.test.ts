// An execution that goes on while it is stepped through.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { Stopped, TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';

const status = statusOf('completed');
const start = makeNodeLog(1, { nodeId: 'start', status });
const running = makeNodeLog(2, { nodeId: 'ask', status: statusOf('running') });
const failed = makeNodeLog(3, {
  nodeId: 'ask',
  status: statusOf('failed'),
  error: { code: 'http_error', message: 'Busy.', nodeId: null },
});

describe('a session of an execution that goes on', () => {
  let client: HeldClient;
  let recording: TestRecording;
  afterEach(() => client.session.dispose());

  const launch = async (rows: readonly NodeLog[]) => {
    recording = new TestRecording(['start', 'ask', 'end'], rows);
    recording.hasEnded = false;
    client = new HeldClient(recording);
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

  it('prints the line of a log point once for a run that comes while another is looked at', async () => {
    await launch([start, running]);
    const evaluate = recording.evaluate.bind(recording);
    recording.evaluate = async (...given) => {
      if (recording.runs.count === 2)
        recording.add([makeNodeLog(4, { nodeId: 'ask', iteration: [1], status: statusOf('running') })]);
      // Somebody else looks at it too.
      assert.equal(recording.runs.count, 3);
      return evaluate(...given);
    };
    await client.breakAt(3, { logMessage: '{"asked"}' });
    const ended = client.next('terminated');
    await client.ask('continue');
    recording.end();
    await ended;
    assert.deepEqual(client.printed, ['asked', 'asked']);
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

  const end = makeNodeLog(4, { nodeId: 'end', status });
  const waits = () => client.events.filter(({ event }) => event.startsWith('progress'));
  /** Asks, and does something while the session goes on. */
  const during = async (command: string, change: () => unknown) => {
    const stopped = client.next('stopped');
    await client.ask(command);
    await change();
    const { reason, description } = v.parse(Stopped, await stopped);
    return [client.current.run.nodeId, reason, description];
  };

  it('pauses at the next node run', async () => {
    await launch([start, running]);
    const paused = await during('continue', async () => {
      await client.ask('pause');
      assert.deepEqual(waits(), [
        {
          type: 'event',
          event: 'progressStart',
          body: { progressId: '1', title: 'Waiting for the next node run', cancellable: true },
        },
      ]);
      // Nothing new ran yet.
      recording.add([running]);
      recording.add([{ ...failed, status, error: null }]);
      recording.add([end]);
    });
    assert.deepEqual(paused, ['end', 'pause', 'Paused']);
    assert.deepEqual(waits().slice(1), [{ type: 'event', event: 'progressEnd', body: { progressId: '1' } }]);
  });

  it('pauses at the last node run when asked twice, or when the execution ends', async () => {
    await launch([start, running]);
    const twice = await during('continue', async () => {
      await client.ask('pause');
      await client.ask('cancel', { progressId: '1' });
    });
    assert.deepEqual(twice, ['ask', 'pause', 'Paused']);
    const atEnd = await during('continue', async () => {
      await client.ask('pause');
      recording.add([{ ...failed, status, error: null }, end]);
      recording.end();
    });
    assert.deepEqual(atEnd, ['end', 'pause', 'Paused']);
  });

  it('stops at a failure also when it is to pause', async () => {
    await launch([start, running]);
    const stop = await during('continue', async () => {
      await client.ask('pause');
      recording.add([failed]);
      recording.end();
    });
    assert.deepEqual(stop, ['ask', 'exception', 'Paused on a failed node']);
  });

  it('does nothing when it is to pause where it has stopped', async () => {
    await launch([start, running, end]);
    await client.ask('pause');
    await client.go('next');
    assert.deepEqual([here(), client.stops.length, waits()], [['ask', 'running'], 2, []]);
  });

  it('ends with the reason when it is not followed any more', async () => {
    await launch([start, running]);
    const ended = client.next('terminated');
    await client.ask('continue');
    recording.end(new Error('The service rejected this API key.'));
    await ended;
    assert.deepEqual(client.printed, ['The service rejected this API key.']);
  });

  it('undoes a step that was paused', async () => {
    await launch([start, running]);
    await client.go('next');
    const paused = await during('next', async () => {
      await client.ask('pause');
      recording.add([{ ...failed, status, error: null }, end]);
    });
    assert.deepEqual(paused, ['end', 'pause', 'Paused']);
    await client.go('stepBack');
    assert.equal(here()[0], 'ask');
  });

  it('waits for the node run that a step leads to', async () => {
    await launch([start]);
    assert.deepEqual(await during('next', () => recording.add([running])), ['ask', 'step', undefined]);
    assert.equal((await client.go('stepBack')).reason, 'step');
    assert.equal(here()[0], 'start');
    await client.go('next');
    const atEnd = await during('stepOut', () => {
      recording.add([{ ...failed, status, error: null }, end]);
      recording.end();
    });
    assert.deepEqual(atEnd, ['ask', 'step', 'Paused on the last node run']);
  });
});
