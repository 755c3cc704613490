// What a task executes, what its terminal shows, and the code that it ends with.
import assert from 'node:assert/strict';
import { TaskRun, terminalSink } from '../../../src/features/tasks/taskRun.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('a task', () => {
  let world: World;
  let text = '';
  let shown: unknown[] = [];

  beforeEach(async () => {
    world = createWorld();
    await connectBoth(world);
    world.first.workflows = [
      makeWorkflow('w1', { name: 'Orders', isDeployed: true }),
      makeWorkflow('w2', { name: 'Signup' }),
      makeWorkflow('w3', { name: 'Signup' }),
      makeWorkflow('w4', { name: 'Draft', isDeployed: false }),
    ];
    text = '';
    shown = [];
  });
  afterEach(() => world.following.dispose());

  const start = (definition: object) => {
    const sink = terminalSink((written) => void (text += written));
    const problems = {
      show: (...of: unknown[]) => {
        shown.push(of);
        return Promise.resolve('Orders.workflow.json(3,5): error: Pay: no');
      },
    };
    const run = new TaskRun(world, {
      definition: { type: 'workflow', ...definition },
      folder: undefined,
      sink,
      problems,
    });
    return { run, code: run.run() };
  };
  const executed = () => world.first.calls.filter((call) => call.startsWith('execute'));
  /** Waits until the execution is followed. */
  const followed = async () => {
    while (world.first.channels.length === 0) await settle();
    const [channel] = world.first.channels;
    assert.ok(channel);
    return channel;
  };

  for (const [state, code] of [
    ['completed', 0],
    ['failed', 1],
    ['cancelled', 2],
    ['unknown', 3],
  ] as const satisfies readonly (readonly [RunState, number])[])
    it(`ends with ${code} when the execution ends as ${state}, and shows its log`, async () => {
      const { code: ended } = start({ workflow: 'Orders', input: { n: 1 } });
      const channel = await followed();
      const row = makeNodeLog(1, { nodeName: 'Pay', message: 'asked\u001b[31m the\u0007 bank\nagain' });
      channel.send({ kind: 'logs', logs: [row] });
      if (state === 'failed')
        world.first.changeExecution('exec_1', {
          status: statusOf('failed'),
          error: { code: null, message: 'no', nodeId: 'n1' },
        });
      channel.send({ kind: 'end', status: statusOf(state) });
      assert.equal(await ended, code);
      assert.deepEqual(world.first.executions[0]?.input, { n: 1 });
      assert.match(text, /> Pay: asked the bank\r\n +again\r\n/);
      assert.equal(shown.length, state === 'failed' ? 1 : 0);
      assert.equal(text.includes('(3,5): error: Pay: no\r\n'), state === 'failed');
    });

  it('that does not wait ends once the execution has started', async () => {
    const { code } = start({ workflow: 'w1', wait: false });
    assert.equal(await code, 0);
    assert.match(text, /The execution \S+ has started\.\r\n/);
    assert.deepEqual(executed(), ['execute w1']);
  });

  it('takes its input as JSON text too, where variables are replaced', async () => {
    await start({ workflow: 'w1', wait: false, input: '{"a": 1}' }).code;
    assert.deepEqual(world.first.executions[0]?.input, { a: 1 });
  });

  it('uses the connection that it names', async () => {
    world.second.workflows = [makeWorkflow('s1', { name: 'Orders', isDeployed: true })];
    assert.equal(await start({ workflow: 'Orders', connection: 'Second', wait: false }).code, 0);
    assert.deepEqual([executed(), world.second.calls.includes('execute s1')], [[], true]);
  });

  for (const [what, definition, words] of [
    ['an unknown workflow', { workflow: 'None' }, /No workflow has the name or ID "None"/],
    ['a name that two have', { workflow: 'Signup' }, /Several workflows are named "Signup"/],
    ['an unknown connection', { workflow: 'w1', connection: 'None' }, /No connection is named "None"/],
    ['both an input and a preset', { workflow: 'w1', input: {}, preset: 'a' }, /both "input" and "preset"/],
    ['an input that is no JSON', { workflow: 'w1', input: '{a' }, /"input" isn't a JSON object/],
    ['an input that is no object', { workflow: 'w1', input: [1] }, /invalid values: input\./],
    ['a preset without a folder', { workflow: 'w1', preset: 'a' }, /Open a folder/],
    ['no workflow', {}, /invalid values: workflow\./],
  ] as const)
    it(`says what is wrong with ${what}, and sends nothing`, async () => {
      assert.equal(await start(definition).code, 3);
      assert.match(text, words);
      assert.deepEqual(executed(), []);
    });

  it('says why the service does not execute it', async () => {
    assert.equal(await start({ workflow: 'w4' }).code, 3);
    assert.match(text, /deployed/);
  });

  it('is cancelled by Ctrl+C where the service cancels', async () => {
    const { run, code } = start({ workflow: 'w1' });
    const channel = await followed();
    run.interrupt();
    await settle();
    assert.ok(world.first.calls.includes('cancel exec_1'));
    channel.send({ kind: 'end', status: statusOf('cancelled') });
    assert.equal(await code, 2);
    assert.match(text, /Cancelling…\r\n/);
  });

  it('stops following on Ctrl+C where the service does not cancel, and says so', async () => {
    world.first.capabilities.set(new Set());
    const { run, code } = start({ workflow: 'w1' });
    await followed();
    run.interrupt();
    assert.equal(await code, 3);
    assert.match(text, /stopped following; the execution continues\r\n$/);
    assert.ok(!world.first.calls.includes('cancel exec_1'));
  });

  for (const when of ['before', 'after'] as const)
    it(`leaves a follow to others that want it since ${when} its own`, async () => {
      world.first.capabilities.set(new Set());
      const others = () => world.following.follow({ connectionId: 'connection_1', executionId: 'exec_1' });
      const earlier = when === 'before' ? others() : undefined;
      const { run, code } = start({ workflow: 'w1' });
      while (executed().length === 0) await settle();
      await followed();
      await settle();
      const other = earlier ?? others();
      run.interrupt();
      assert.equal(await code, 3);
      assert.match(text, /stopped following; the execution continues\r\n$/);
      assert.notEqual(other.state.current.kind, 'stopped');
    });
});
