// A check never holds up the editor: it runs beside it, one text after the other, and ends when nobody waits for it any more.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { toDisposable } from '../../src/base/disposable.ts';
import { type Clock, systemClock } from '../../src/base/time.ts';
import { CheckThread, type CheckThreadOptions } from '../../src/definition/checkThread.ts';

const program = fileURLToPath(new URL('../../src/definition/checkWorker.ts', import.meta.url));
const options: CheckThreadOptions = { program, clock: systemClock, words: undefined };
const text = JSON.stringify({
  nodes: [{ id: 'start', type: 'trigger' }],
  edges: [{ source: 'start', target: 'no' }],
});
/** Takes minutes to check. */
const endless = JSON.stringify({
  nodes: [{ id: 'x', type: 'log', config: { message: '{{ 1 }}'.repeat(1_000_000) } }],
});
const never = new AbortController().signal;

/** Every deadline has passed. */
const late: Clock = {
  now: () => 0,
  schedule: (callback) => {
    const timer = setTimeout(callback, 0);
    return toDisposable(() => clearTimeout(timer));
  },
};

describe('the thread that checks definitions', () => {
  let thread: CheckThread;
  beforeEach(() => {
    thread = new CheckThread(options);
  });
  afterEach(() => thread.dispose());

  it('answers each text with its faults', async () => {
    const [first, second, third] = await Promise.all([
      thread.check({ text, isLocal: true }, never),
      thread.check({ text: '{', isLocal: true }, never),
      thread.check({ text: '{}', isLocal: false }, never),
    ]);
    assert.deepEqual(
      first?.faults.map(({ message }) => message),
      ['edge 1 points to a node that doesn\'t exist ("no")'],
    );
    assert.equal(second, null);
    assert.deepEqual(third, { faults: [], more: 0 });
  });

  it('speaks the language of the editor', async () => {
    const words = {
      'edge {0}': 'Kante {0}',
      '{0} points to a node that doesn\'t exist ("{1}")': '{0}: "{1}" fehlt',
    };
    const german = new CheckThread({ ...options, words });
    const answer = await german.check({ text, isLocal: true }, never);
    assert.equal(answer?.faults[0]?.message, 'Kante 1: "no" fehlt');
    german.dispose();
  });

  it('stops when the text changes, and checks the next', async () => {
    const controller = new AbortController();
    const stopped = thread.check({ text: endless, isLocal: true }, controller.signal);
    const next = thread.check({ text, isLocal: true }, never);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.equal((await next)?.faults.length, 1);
  });

  it('gives up a text that takes too long', async () => {
    const hasty = new CheckThread({ ...options, clock: late });
    await assert.rejects(hasty.check({ text: endless, isLocal: true }, never), /took longer than 5000 ms/);
    hasty.dispose();
  });

  it('can end while it checks, and begin again', async () => {
    const ended = thread.check({ text: endless, isLocal: true }, never);
    const rejected = assert.rejects(ended, /was ended/);
    // A check begins in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    thread.end();
    await rejected;
    assert.equal((await thread.check({ text, isLocal: true }, never))?.faults.length, 1);
  });

  it('fails without a program', async () => {
    const lost = new CheckThread({ ...options, program: `${program}.missing.js` });
    await assert.rejects(lost.check({ text, isLocal: true }, never));
    lost.dispose();
  });
});
