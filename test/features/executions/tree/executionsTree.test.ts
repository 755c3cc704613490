import assert from 'node:assert/strict';
import { decodeArgument } from '../../../../src/editor/commandArguments.ts';
import { createCommandSchemas } from '../../../../src/editor/commandTypes.ts';
import { ServiceError } from '../../../../src/domain/serviceError.ts';
import { readTime, toNarrowing } from '../../../../src/features/executions/tree/askNarrowing.ts';
import { ExecutionsTree } from '../../../../src/features/executions/tree/executionsTree.ts';
import {
  createViewScope,
  type Narrowing,
  notNarrowed,
} from '../../../../src/features/executions/tree/viewScope.ts';
import {
  describeNarrowing,
  viewLines,
  welcomeState,
} from '../../../../src/features/executions/tree/viewState.ts';
import { settle } from '../../../support/memory/ports.ts';
import { makeExecution, makeWorkflow } from '../../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';

/** The filter that code asks for. */
function narrowFromCode(value: unknown): Narrowing {
  const argument = decodeArgument(createCommandSchemas(() => 'c1')['executions.filter'], value, 'code');
  if (argument === undefined) throw new TypeError('The command refuses it.');
  return toNarrowing(argument);
}

describe('the filter of executions', () => {
  it('reads dates and times, and nothing else', () => {
    assert.equal(readTime('2026-01-31'), new Date(2026, 0, 31).getTime());
    assert.equal(readTime(' 2026-01-31 14:00 '), new Date(2026, 0, 31, 14).getTime());
    assert.equal(readTime('yesterday-ish'), undefined);
    assert.equal(readTime(''), undefined);
  });

  for (const [value, words] of [
    [{}, ''],
    [{ status: 'failed' }, 'failed'],
    [{ workflowId: 'w', status: 'running', within: 'day' }, 'Name · running · last 24 hours'],
    [{ within: 'week' }, 'last 7 days'],
    [{ status: 'odd' }, undefined],
    [{ within: 'year' }, undefined],
    [{ since: 'whenever' }, undefined],
    [{ since: 5 }, undefined],
  ] as const)
    it(`from code ${JSON.stringify(value)} is ${words ?? 'refused'}`, () => {
      if (words === undefined) assert.throws(() => narrowFromCode(value), TypeError);
      else assert.equal(describeNarrowing(narrowFromCode(value), 'Name'), words);
    });

  it('stands above the rows, and beside the title where a welcome view is', () => {
    assert.deepEqual(viewLines('ready', ''), { message: '', description: '' });
    assert.deepEqual(viewLines('filtered', 'failed'), { message: '', description: 'failed' });
    assert.match(viewLines('ready', 'failed').message, /^Filter: failed\. .*clears it/);
  });

  it('has a welcome view of its own for each empty state', () => {
    const list = { status: 'loaded', hasData: true, items: [], nextCursor: null, error: null } as const;
    const failed = { ...notNarrowed, filter: { status: 'failed', period: null } } as const;
    const welcome = (narrowing: Narrowing, change: object, canList = true): string =>
      welcomeState(narrowing, { ...list, ...change }, canList);
    assert.equal(welcome(notNarrowed, {}), 'empty');
    assert.equal(welcome(failed, {}), 'filtered');
    assert.equal(welcome(failed, { hasData: false }), 'loading');
    assert.equal(
      welcome(notNarrowed, { error: new ServiceError({ kind: 'unavailable' }, 'down') }),
      'failed',
    );
    assert.equal(welcome(failed, { items: [makeExecution('e')] }), 'ready');
    const error = new ServiceError({ kind: 'notOffered' }, 'no such endpoint');
    assert.equal(welcome(failed, { error }), 'byWorkflow');
    assert.equal(welcome({ ...failed, workflowId: 'w' }, { error }), 'failed');
    assert.equal(welcome(notNarrowed, { error }, false), 'failed');
    assert.deepEqual(viewLines('byWorkflow', 'failed'), { message: '', description: 'failed' });
  });
});

describe('the rows of the Executions view', () => {
  it('are at most a thousand, and then say how to narrow', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.executions = Array.from({ length: 1500 }, (_, at) => makeExecution(`e${at}`));
    const { scope } = createViewScope(world.connections, world.executions);
    const tree = new ExecutionsTree(world, scope);
    const shown = scope.current ?? assert.fail();
    const first = await tree.getChildren();
    assert.deepEqual([first.length, first.at(-1)?.kind], [101, 'more']);
    for (let pages = 1; pages < 10; pages += 1) await world.executions.loadMore(shown);
    const rows = await tree.getChildren();
    assert.deepEqual([rows.length, rows.at(-1)?.kind], [1001, 'note']);
    assert.equal(rows[0], first[0]);
    tree.dispose();
  });

  it('name their workflow, read for that where no list held it, and say that it was deleted', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.workflows = Array.from({ length: 60 }, (_, at) => makeWorkflow(`w${at}`));
    world.first.executions = ['w1', 'w59', 'gone-abcdef', null].map((workflowId, at) =>
      makeExecution(`e${at}`, { workflowId }),
    );
    const tree = new ExecutionsTree(world, createViewScope(world.connections, world.executions).scope);
    const labels = async () => (await tree.getChildren()).map((row) => tree.getTreeItem(row).label);
    assert.deepEqual(await labels(), ['Workflow w1', 'w59', 'gone-abcdef', 'Execution']);
    await settle();
    assert.deepEqual(await labels(), ['Workflow w1', 'Workflow w59', 'Deleted workflow abcdef', 'Execution']);
    assert.equal(world.first.calls.filter((call) => call.startsWith('workflows.getOne')).length, 2);
    tree.dispose();
  });

  it('are none where the service lists them by workflow only: the welcome view asks for one', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.failure = new ServiceError({ kind: 'notOffered' }, 'no such endpoint', { status: 404 });
    const viewScope = createViewScope(world.connections, world.executions);
    const tree = new ExecutionsTree(world, viewScope.scope);
    assert.deepEqual([await tree.getChildren(), tree.welcome()], [[], 'byWorkflow']);
    world.first.failure = null;
    world.first.executions = [makeExecution('e1')];
    viewScope.narrow({ ...notNarrowed, workflowId: 'w1' });
    assert.deepEqual([(await tree.getChildren()).length, tree.welcome()], [1, 'ready']);
    tree.dispose();
  });

  it('say why they could not be read', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 });
    const tree = new ExecutionsTree(world, createViewScope(world.connections, world.executions).scope);
    const [row] = await tree.getChildren();
    assert.ok(row?.kind === 'note' && row.isProblem && row.text.includes('503'));
    tree.dispose();
  });
});
