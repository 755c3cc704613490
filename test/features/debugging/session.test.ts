// What a session shows where it has stopped, and what makes it stop.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import type { StopAt } from '../../../src/features/debugging/stops.ts';
import { TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';

const nodeIds = ['start', 'each', 'ask', 'end'];
let count = 0;

const row = (nodeId: string, iteration: readonly number[], change: Partial<NodeLog> = {}): NodeLog => {
  count += 1;
  return makeNodeLog(count, {
    nodeId,
    nodeName: `The ${nodeId}`,
    nodeType: nodeId === 'each' ? 'forEach' : 'log',
    iteration,
    status: statusOf('completed'),
    startedAt: new Date(count * 1000),
    durationMs: 12,
    ...change,
  });
};
const failed = (message: string) => ({
  status: statusOf('failed'),
  error: { code: 'http_error', message, nodeId: null },
});

/** A loop of 12 whose node fails in the seventh iteration, in each of two attempts. */
const rowsOfLoop = () => [
  row('start', [], { input: { total: 2 }, output: { total: 2 } }),
  row('each', []),
  ...Array.from({ length: 6 }, (_, index) => row('ask', [index], { output: { index } })),
  row('ask', [6], failed('Busy.')),
  row('ask', [6], { attempt: 2, ...failed('Still busy.') }),
];

describe('a session', () => {
  let recording: TestRecording;
  let client: HeldClient;

  const open = (rows: readonly NodeLog[] = rowsOfLoop(), stopAt: StopAt = 'start') => {
    recording = new TestRecording(nodeIds, rows);
    client = new HeldClient(recording, stopAt);
  };
  const here = () => client.current.run;
  afterEach(() => client.session.dispose());

  it('begins at the failure, and shows the loop around it with its iteration', async () => {
    open(rowsOfLoop(), 'failure');
    recording.itemCount = 12;
    const stopped = await client.launch();
    assert.deepEqual([stopped.reason, stopped.text, here().attempt], ['exception', 'Still busy.', 2]);
    assert.deepEqual(
      (await client.frames()).map(({ name, line }) => [name, line]),
      [
        ['The ask · attempt 2', 5],
        ['The each · iteration 7 of 12', 3],
        ['Orders', 1],
      ],
    );
    await client.go('stepBack');
    assert.deepEqual([here().nodeId, here().iteration], ['ask', [5]]);
  });

  it('stops at failed nodes, and at failed attempts when asked', async () => {
    open();
    await client.launch(() => client.ask('setExceptionBreakpoints', { filters: ['failed'] }));
    assert.equal((await client.go('continue')).text, 'Still busy.');
    await client.ask('setExceptionBreakpoints', { filters: ['failed', 'failedAttempts'] });
    assert.equal((await client.go('reverseContinue')).text, 'Busy.');
    assert.deepEqual(await client.ask('exceptionInfo'), {
      exceptionId: 'http_error',
      description: 'Busy.',
      breakMode: 'always',
    });
  });

  it('begins at the first breakpoint, or else at the first run', async () => {
    open([row('start', []), row('each', []), row('end', [])], 'breakpoint');
    const stopped = await client.launch(() => client.breakAt(7));
    assert.deepEqual([stopped.reason, here().nodeId], ['breakpoint', 'end']);
    client.session.dispose();
    open([row('start', []), row('end', [])], 'breakpoint');
    assert.deepEqual([(await client.launch()).reason, here().nodeId], ['entry', 'start']);
  });

  it('ends when nothing more would stop it', async () => {
    open();
    await client.launch();
    const ended = client.next('terminated');
    await client.ask('continue');
    await ended;
  });

  it('moves a breakpoint to the line of its node, and refuses what is none', async () => {
    open();
    await client.launch();
    assert.deepEqual(await client.breakAt(6), { breakpoints: [{ id: 1, verified: true, line: 5 }] });
    assert.deepEqual(await client.breakAt(90), {
      breakpoints: [{ verified: false, message: 'There is no node on this line.', line: 90 }],
    });
    const message = 'A hit count is a number, such as "3", or a comparison, such as ">= 3" or "% 2".';
    assert.deepEqual(await client.breakAt(5, { hitCondition: 'often' }), {
      breakpoints: [{ verified: false, message, line: 5 }],
    });
    const set = await client.ask('setFunctionBreakpoints', { breakpoints: [{ name: 'ask' }, { name: 'x' }] });
    assert.deepEqual(set, {
      breakpoints: [
        { id: 2, verified: true },
        { verified: false, message: 'No node has this ID.' },
      ],
    });
    const other = { source: { path: 'file:///other.json' }, breakpoints: [{ line: 1 }] };
    assert.deepEqual(await client.ask('setBreakpoints', other), {
      breakpoints: [{ verified: false, line: 1 }],
    });
  });

  for (const [hitCondition, iterations] of [
    ['3', [2]],
    ['>= 6', [5, 6, 6]],
    ['%4', [3, 6]],
    ['< 2', [0]],
  ] as const)
    it(`counts the runs of a node: ${hitCondition}`, async () => {
      open();
      await client.launch(() => client.breakAt(5, { hitCondition }));
      for (const iteration of iterations) {
        await client.go('continue');
        assert.deepEqual(here().iteration, [iteration]);
      }
      const ended = client.next('terminated');
      await client.ask('continue');
      await ended;
    });

  it('prints the lines of log points without stopping, harmless whatever is in them', async () => {
    open();
    const logMessage = 'turn {index}: {"\\u001b[31m" & item} {index +}';
    await client.launch(() => client.breakAt(5, { logMessage, hitCondition: '2' }));
    const ended = client.next('terminated');
    await client.ask('continue');
    await ended;
    const [line = ''] = client.printed;
    assert.match(line, /^turn 1: item 1 <.+>$/);
  });

  it('counts where the condition of a breakpoint is met', async () => {
    open([row('start', []), ...Array.from({ length: 12 }, (_, index) => row('ask', [index]))]);
    const condition = 'index % 4 = 0';
    await client.launch(() => client.breakAt(5, { condition, hitCondition: '% 2' }));
    await client.go('continue');
    assert.deepEqual(here().iteration, [4]);
    await client.breakAt(5, { condition, hitCondition: '3' });
    await client.go('continue');
    assert.deepEqual(here().iteration, [8]);
    await client.breakAt(5, { condition, hitCondition: '<= 2' });
    await client.go('reverseContinue');
    assert.deepEqual(here().iteration, [4]);
  });

  it('stops at breakpoints on the way of a step, and prints on it', async () => {
    open();
    await client.launch(() => client.breakAt(5, { condition: 'index = 3' }));
    assert.equal(here().nodeId, 'start');
    await client.go('next');
    assert.equal(here().nodeId, 'each');
    const stopped = await client.go('next');
    assert.deepEqual([stopped.reason, here().iteration], ['breakpoint', [3]]);
    await client.breakAt(5, { logMessage: 'turn {index}' });
    const { reason } = await client.go('stepIn');
    assert.deepEqual([reason, here().iteration, client.printed], ['step', [4], ['turn 4']]);
    await client.go('stepOut');
    assert.deepEqual(client.printed, ['turn 4', 'turn 5', 'turn 6', 'turn 6']);
  });

  it('prints the line of a log point whatever else stops there', async () => {
    open();
    await client.launch(async () => {
      await client.ask('setExceptionBreakpoints', { filters: ['failedAttempts'] });
      await client.ask('setFunctionBreakpoints', {
        breakpoints: [{ name: 'ask', hitCondition: '2' }, { name: 'start' }],
      });
      const source = { path: 'workflow:/Orders.workflow.json' };
      const breakpoints = [
        { line: 1, logMessage: 'begins' },
        { line: 5, logMessage: 'turn {index}' },
      ];
      await client.ask('setBreakpoints', { source, breakpoints });
    });
    assert.deepEqual(client.printed, ['begins']);
    await client.go('continue');
    assert.deepEqual([here().iteration, client.printed.at(-1)], [[1], 'turn 1']);
    const stopped = await client.go('continue');
    assert.deepEqual([stopped.text, client.printed.at(-1)], ['Busy.', 'turn 6']);
  });

  for (const [logMessage, line] of [
    ['sum {$reduce([1..3], function($a, $b){$a + $b})}', 'sum 6'],
    ['turn {{"i": index}}', 'turn {"i":0}'],
    ['a {"}" & index} {} { b', 'a }0 {} { b'],
  ] as const)
    it(`ends an expression of a log point where it ends: ${logMessage}`, async () => {
      open();
      await client.launch(() => client.breakAt(5, { logMessage, hitCondition: '1' }));
      const ended = client.next('terminated');
      await client.ask('continue');
      await ended;
      assert.deepEqual(client.printed, [line]);
    });

  it('tells what a run recorded, and what its expressions could name', async () => {
    open();
    await client.launch();
    const ofRun = await client.rows('Node run');
    assert.deepEqual(
      ofRun.map(({ name, value }) => [name, value]),
      [
        ['state', 'completed'],
        ['duration', '12 ms'],
        ['attempt', '1'],
        ['input', '{"total":2}'],
        ['output', '{"total":2}'],
      ],
    );
    const [input, nodes] = await client.rows('Scope');
    assert.ok(input && nodes);
    assert.deepEqual([input.evaluateName, nodes.value], ['input', '1 node']);
    const [start] = await client.below(nodes);
    assert.deepEqual([start?.evaluateName, start?.value], ['nodes.start', '{"total":2}']);
  });

  it('reads a long list in parts, and a value that was cut when it is unfolded', async () => {
    const list = Array.from({ length: 5000 }, (_, index) => ({ index }));
    const cut = { $cut: { bytes: 300_000, preview: '[' } };
    open([row('start', [], { input: list, output: cut })]);
    recording.whole.set('start', ['whole']);
    await client.launch();
    const rows = await client.rows('Node run');
    const input = rows.find(({ name }) => name === 'input') ?? assert.fail();
    assert.equal(input.indexedVariables, 5000);
    assert.ok(input.value.length <= 1000);
    const part = await client.below(input, { filter: 'indexed', start: 4000, count: 2 });
    assert.deepEqual(
      part.map(({ name, value }) => [name, value]),
      [
        ['4000', '{"index":4000}'],
        ['4001', '{"index":4001}'],
      ],
    );
    const output = rows.find(({ name }) => name === 'output') ?? assert.fail();
    assert.deepEqual(
      (await client.below(output)).map(({ value }) => value),
      ['["whole"]'],
    );
  });

  it('reads a cut value of the scope when it is unfolded, as an expression does', async () => {
    open();
    recording.seen.set('each', { $cut: { bytes: 300_000, preview: '["who' } });
    recording.whole.set('each', ['whole']);
    await client.launch();
    const [, nodes] = await client.rows('Scope');
    const [, each] = await client.below(nodes ?? assert.fail());
    assert.equal(each?.value, '["who…');
    const [whole] = await client.below(each);
    assert.deepEqual([whole?.evaluateName, whole?.value], ['nodes.each', '["whole"]']);
  });

  it('evaluates in the scope of a frame, and stays usable after what fails', async () => {
    open();
    await client.launch(() => client.breakAt(5));
    await client.go('continue');
    await assert.rejects(client.evaluate('input.('), /./);
    assert.equal(await client.evaluate('{"at": index, "of": item}'), '{"at":0,"of":"item 0"}');
    assert.equal(await client.evaluate('{"at": index}', 'clipboard'), '{\n  "at": 0\n}');
    await client.go('next');
    assert.equal(await client.evaluate('index'), '1');
  });

  it('runs to the present of an execution that goes on, and on with it', async () => {
    open([row('start', [])]);
    recording.hasEnded = false;
    await client.launch(() => client.breakAt(7));
    const stopped = client.next('stopped');
    await client.ask('continue');
    recording.add([row('each', [])]);
    recording.add([row('end', [])]);
    await stopped;
    assert.equal(here().nodeId, 'end');
    const ended = client.next('terminated');
    await client.ask('continue');
    recording.end();
    await ended;
  });

  it('waits for the first node run', async () => {
    open([]);
    recording.hasEnded = false;
    const waiting = client.next('progressStart');
    const entered = client.launch();
    await waiting;
    recording.add([row('start', [])]);
    assert.equal((await entered).reason, 'entry');
    assert.ok(client.events.some(({ event }) => event === 'progressEnd'));
  });

  it('ends when somebody cancels the wait for the first node run', async () => {
    open([]);
    recording.hasEnded = false;
    await client.ask('initialize', { supportsProgressReporting: true });
    await client.ask('launch');
    const waiting = client.next('progressStart');
    await client.ask('configurationDone');
    await waiting;
    const ended = client.next('terminated');
    await client.ask('cancel', { progressId: '1' });
    await ended;
  });

  it('says that there are no node runs', async () => {
    open([]);
    await client.ask('initialize');
    await client.ask('launch');
    const ended = client.next('terminated');
    await client.ask('configurationDone');
    await ended;
    assert.deepEqual(client.printed, ['The service recorded no node runs for this execution.']);
  });

  it('says once how many node runs are gone, and again when more are', async () => {
    const said = (count: number) => `Earlier node runs that are no longer kept on this machine: ${count}`;
    open();
    recording.forgetRun();
    await client.launch();
    await client.go('next');
    assert.deepEqual(client.printed, [said(1)]);
    recording.forgetRun();
    await client.go('next');
    assert.deepEqual(client.printed, [said(1), said(2)]);
  });

  it('says at the top of the stack that the text is not the one that ran', async () => {
    open();
    recording.warning = 'The definition has changed since.';
    await client.launch();
    assert.deepEqual(
      (await client.frames()).map(({ name }) => name),
      ['The definition has changed since.', 'The start', 'Orders'],
    );
  });

  it('refuses what it does not offer, and what is no request of its own', async () => {
    open();
    await assert.rejects(client.ask('goto'), /isn't offered/);
    await assert.rejects(client.ask('toString'), /isn't offered/);
    await assert.rejects(client.ask('threads'), /not launched/);
    await client.session.handle({ hello: true });
  });
});
