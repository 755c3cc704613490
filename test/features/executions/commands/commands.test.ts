// The commands find what they need wherever a service tells it, and do without the rest.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Commands } from '../../../../src/editor/commands.ts';
import { findRun, type NodeRunArgument } from '../../../../src/ui/pickers/nodeRunPicker.ts';
import { registerComparing } from '../../../../src/features/executions/commands/comparing.ts';
import { registerRevealNode } from '../../../../src/features/executions/commands/revealNode.ts';
import { writeReport } from '../../../../src/features/executions/commands/register.ts';
import { renderCompared } from '../../../../src/features/executions/comparison/compared.ts';
import { readCompared } from '../../../../src/model/comparison/readCompared.ts';
import {
  ComparedDocuments,
  targetsOf,
} from '../../../../src/features/executions/comparison/comparedDocuments.ts';
import { DocumentOpener } from '../../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../../src/editor/ids.ts';
import { LazyDocuments } from '../../../../src/editor/lazy/lazySurfaces.ts';
import { front } from '../../../support/vscodeStandIn.ts';
import { kindOf } from '../../../support/reasons.ts';
import { createScriptedClient } from '../../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../../support/scriptedPort.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';

const { signal } = new AbortController();
const rows = [{ id: '1', nodeId: 'a', nodeName: 'Start', message: 'began' }];

const createCommands = (connectionId: string) =>
  new Commands({
    logger: silentLogger,
    describe: () => assert.fail('Nothing is shown to anybody.'),
    activeConnectionId: () => connectionId,
    findSubject: () => undefined,
  });

async function open(answer: (path: string) => ScriptedAnswer) {
  const { client, clock } = createScriptedClient((path) =>
    path.startsWith('/workflows') ? { body: [] } : answer(path),
  );
  const world: World = createWorld({ createClient: () => client, clock });
  const [connectionId] = await connectBoth(world);
  return { world, target: { connectionId, executionId: 'x' } };
}

describe('an execution that the service does not tell', () => {
  const withoutRecord = (path: string): ScriptedAnswer => {
    if (path.endsWith('/output')) return { body: { total: 3 } };
    return path.includes('/logs') ? { body: rows } : { status: 405 };
  };

  it('is compared by its output and its node runs', async () => {
    const { world, target } = await open(withoutRecord);
    const { output, nodes } = renderCompared(await readCompared(world, target, undefined, signal));
    assert.deepEqual(output, { total: 3 });
    assert.ok(Array.isArray(nodes) && nodes.length === 1);
  });

  it('is reported with its output and its log', async () => {
    const { world, target } = await open(withoutRecord);
    const report = await writeReport(world, target, signal);
    assert.match(report, /Start: began[^]*"total": 3/);
  });

  it('is not reported where nothing of it is told', async () => {
    const { world, target } = await open(() => ({ status: 405 }));
    assert.equal(await kindOf(writeReport(world, target, signal)), 'notOffered');
  });
});

describe('an input that only the list tells', () => {
  const whole = { id: 'x', status: 'completed', input: { n: 1 } };
  const inList = (path: string): ScriptedAnswer => {
    if (path.startsWith('/executions?')) return { body: [whole] };
    if (path.endsWith('/output')) return { body: { total: 3 } };
    return path === '/executions/x' ? { body: { id: 'x', status: 'completed' } } : { status: 405 };
  };

  it('is compared, and reported', async () => {
    const { world, target } = await open(inList);
    const compared = await readCompared(world, target, undefined, signal);
    assert.deepEqual(renderCompared(compared)['input'], { n: 1 });
    const other = await open(inList);
    assert.match(await writeReport(other.world, other.target, signal), /"n": 1/);
  });
});

describe('an execution that was followed for a while only', () => {
  it('is compared by all of its node runs, and each of them is found', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const target = { connectionId, executionId: 'e1' };
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', [makeNodeLog(1, { nodeId: 'a' })]);
    await world.executions.read(target);
    await world.executions.readLogs(target);
    world.first.changeExecution('e1', { status: statusOf('completed'), output: {} });
    world.first.logs.set('e1', [makeNodeLog(1, { nodeId: 'a' }), makeNodeLog(2, { nodeId: 'b' })]);
    assert.equal((await findRun(world, { ...target, nodeId: 'b' }, false))?.nodeId, 'b');
    world.first.logs.set(
      'e1',
      [1, 2, 3].map((at) => makeNodeLog(at, { nodeId: 'abc'.charAt(at - 1) })),
    );
    const { nodeRuns } = await readCompared(world, target, undefined, signal);
    assert.deepEqual(
      nodeRuns.map(({ nodeId }) => nodeId),
      ['a', 'b', 'c'],
    );
  });
});

describe('the last run of a node', () => {
  it("is the log's last one for code, also where only the first ones are known", async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const target = { connectionId, executionId: 'e1' };
    const runs = [1, 2].map((at) => makeNodeLog(at, { nodeId: 'a', iteration: [at] }));
    world.first.executions = [makeExecution('e1', { status: statusOf('running') })];
    world.first.logs.set('e1', runs.slice(0, 1));
    await world.executions.read(target);
    await world.executions.readLogs(target);
    world.first.changeExecution('e1', { status: statusOf('completed'), output: {} });
    world.first.logs.set('e1', runs);
    const found = await findRun(world, { ...target, nodeId: 'a' }, false);
    assert.deepEqual(found?.iteration, [2]);
  });
});

describe('the last success', () => {
  it('is found on whichever page of the list it is', async () => {
    const executions = ['x', 'a', 'b', 'c', 'd'].map((id) => ({
      id,
      workflowId: 'w1',
      status: id === 'd' ? 'completed' : 'failed',
      input: {},
      logs: [],
    }));
    const { world, target } = await open((path) => {
      const from = Number(/cursor=(\d)/.exec(path)?.[1] ?? 0);
      if (path.startsWith('/executions?'))
        return {
          body: { data: executions.slice(from, from + 2), nextCursor: from > 2 ? null : `${from + 2}` },
        };
      return { body: executions.find(({ id }) => path === `/executions/${id}`) ?? [] };
    });
    const commands = createCommands(target.connectionId);
    const compared = new ComparedDocuments(world);
    const executionDocuments = new LazyDocuments(schemes.execution, new DocumentOpener(), () =>
      Promise.resolve(),
    );
    const comparing = registerComparing({ ...world, commands, executionDocuments }, compared);
    const uris = await commands.run('execution.compareWithLastSuccess', { executionId: 'x' });
    assert.deepEqual(
      uris?.map((uri) => /execution=(\w+)/.exec(decodeURIComponent(uri))?.[1]),
      ['d', 'x'],
    );
    for (const each of [comparing, compared, executionDocuments]) each.dispose();
  });
});

describe('two selected executions', () => {
  for (const [what, times] of [
    ['the one chosen first', [1, 2]],
    ['the one chosen last', [2, 1]],
  ] as const)
    it(`are compared with the older one on the left: ${what}`, async () => {
      const world = createWorld();
      const [connectionId] = await connectBoth(world);
      world.first.executions = ['e1', 'e2'].map((id, at) =>
        makeExecution(id, { startedAt: new Date(times[at] ?? 0) }),
      );
      const commands = createCommands(connectionId);
      const compared = new ComparedDocuments(world);
      const executionDocuments = new LazyDocuments(schemes.execution, new DocumentOpener(), () =>
        Promise.resolve(),
      );
      const comparing = registerComparing({ ...world, commands, executionDocuments }, compared);
      const rows = ['e1', 'e2'].map((executionId) => ({ invokedBy: 'person', connectionId, executionId }));
      await commands.handle('execution.compare', [rows[0], rows]);
      const targets = front.cursor && targetsOf(front.cursor);
      assert.deepEqual(
        [targets?.left.executionId, targets?.right.executionId],
        times[0] < times[1] ? ['e1', 'e2'] : ['e2', 'e1'],
      );
      for (const each of [comparing, compared, executionDocuments]) each.dispose();
    });
});

describe('the failed node run', () => {
  const error = { code: null, message: 'no', nodeId: 'b' };
  const turn = (index: number, state: 'failed' | 'completed') =>
    makeNodeLog(index + 1, { nodeId: 'b', iteration: [index], status: statusOf(state) });

  it('is opened where the definition cannot be, not the last one of its node', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.executions = [makeExecution('e1', { status: statusOf('failed'), error })];
    world.first.logs.set('e1', [turn(0, 'completed'), turn(1, 'failed'), turn(2, 'completed')]);
    const commands = createCommands(connectionId);
    const opened: (string | undefined)[] = [];
    const opening = commands.register<'nodeRun.open', NodeRunArgument>('nodeRun.open', {
      ask: () => assert.fail('Nobody is asked.'),
      run: async (argument) => {
        const run = await findRun(world, argument, false);
        opened.push(run?.iteration.join());
        return '';
      },
    });
    const documents = { findRun: () => assert.fail('No document is in front.') };
    const revealing = registerRevealNode({ ...world, commands }, documents);
    await commands.run('execution.openFailedNode', { executionId: 'e1' });
    assert.deepEqual(opened, ['1']);
    for (const each of [opening, revealing]) each.dispose();
  });
});
