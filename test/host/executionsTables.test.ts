// A report, a notice and a filter's words are made by pure functions from what a service says; these are their tables.
import assert from 'node:assert/strict';
import { ServiceError } from '../../src/domain/serviceError.ts';
import { describeUnknown } from '../../src/features/inputs/execute.ts';
import { decodeFilter, readTime } from '../../src/features/executions/tree/askFilter.ts';
import { createExecutionsTree, welcomeOf } from '../../src/features/executions/tree/executionsTree.ts';
import { renderReport, type ReportFacts } from '../../src/features/executions/commands/renderReport.ts';
import { ActiveFilter, type ViewFilter, noFilter } from '../../src/features/executions/tree/activeFilter.ts';
import {
  describeFilter,
  executionsFrame,
  welcomeState,
} from '../../src/features/executions/tree/executionsFrame.ts';
import { type Ending, renderNotice } from '../../src/features/executions/notices/renderNotice.ts';
import { withoutLinks } from '../../src/editor/format.ts';
import { settle } from '../support/memory/ports.ts';
import { makeExecution, makeNodeLog, statusOf, makeWorkflow } from '../support/memory/records.ts';
import { MemoryTreeView } from '../support/memory/treeView.ts';
import { connectBoth, createWorld, type World } from '../support/memory/world.ts';

const key = ['svc', 'sk', 'abcdefghijklmnop'].join('_');
const failure = { code: 'x', message: `refused ${key}`, nodeId: 'n2' };
const facts: ReportFacts = {
  workflowName: 'Signup | <b>check</b>',
  execution: makeExecution('exec_1', {
    status: statusOf('failed'),
    error: failure,
    eventIds: ['evt_1'],
    input: { name: 'Ada', key },
    durationMs: 1200,
  }),
  logs: [
    makeNodeLog(1, { message: 'first' }),
    makeNodeLog(2, { nodeId: 'n2', nodeName: 'Refuse', message: 'end ``` of\n# fence' }),
  ],
  output: { kind: 'ready', output: null, error: null },
};

describe('a report', () => {
  it('says what, when, where it failed and why', () => {
    const report = renderReport(facts);
    for (const part of ['## Signup', 'exec\\_1', 'evt\\_1', '| State | failed |', '| Duration | 1.2 s |'])
      assert.ok(report.includes(part), `${part}\n${report}`);
    assert.ok(report.includes('### Failed at Refuse'));
    assert.ok(report.includes('"name": "Ada"'));
  });

  it('shows service text literally and holds no key', () => {
    const report = renderReport(facts);
    assert.ok(!report.includes(key));
    assert.ok(report.includes('Signup \\| \\<b\\>check'));
    assert.ok(report.includes('````text\n'));
    assert.ok(!/^# fence/m.test(report));
    const cut = renderReport({
      ...facts,
      output: { kind: 'text', text: 'x'.repeat(3985) + key, mediaType: 'text/plain' },
    });
    assert.ok(!cut.includes('abcdefgh'));
  });

  it('is bounded whatever the sizes', () => {
    const large = 'x'.repeat(1_000_000);
    const report = renderReport({
      ...facts,
      execution: { ...facts.execution, input: { large }, error: { ...failure, message: large } },
      logs: Array.from({ length: 500 }, (_, at) => makeNodeLog(at, { message: large })),
      output: { kind: 'text', text: large, mediaType: 'text/plain' },
    });
    assert.ok(report.length < 30_000, String(report.length));
    assert.match(report, /more characters/);
  });

  it('says what could not be read', () => {
    const report = renderReport({
      ...facts,
      logs: new ServiceError({ kind: 'notOffered' }, 'no such route'),
      output: { kind: 'notReady', status: null },
    });
    assert.ok(report.includes('It could not be read: no such route'));
    assert.ok(report.includes('There is none yet.'));
    assert.ok(report.includes('### Failed at n2'));
  });
});

describe('a notice', () => {
  const ending = (
    name: string,
    state: 'failed' | 'completed',
    certainty: Ending['certainty'] = 'certain',
  ): Ending => ({
    target: { connectionId: 'c', executionId: name },
    name,
    certainty,
    execution: makeExecution(name, {
      status: statusOf(state),
      durationMs: 1200,
      error: state === 'failed' ? { code: null, message: 'no mail', nodeId: null } : null,
    }),
  });
  const failed = ending('Signup', 'failed');
  const completed = ending('Totals', 'completed');
  const probable = ending('Totals', 'completed', 'probable');
  for (const [endings, text, isFailure] of [
    [[failed], '"Signup" failed: no mail', true],
    [[completed], '"Totals" completed in 1.2 s.', false],
    [[completed, completed], '2 executions ended: "Totals" ×2.', false],
    [[failed, failed], '2 executions failed: "Signup" ×2.', true],
    [[failed, completed], '2 executions ended, 1 of them failed: "Signup".', true],
    [[probable], 'Probably yours: "Totals" completed in 1.2 s.', false],
    [[probable, probable], 'Probably yours: 2 executions ended: "Totals" ×2.', false],
    [[completed, probable], '2 executions ended: "Totals" ×2. Only probably yours: 1 of them.', false],
    [
      ['A', 'B', 'C', 'D'].map((name) => ending(name, 'completed')),
      '4 executions ended: "A", "B", "C", ….',
      false,
    ],
  ] as const)
    it(`reads ${text}`, () => assert.deepEqual(renderNotice(endings), { text, isFailure }));

  it('has no links of the service', () =>
    assert.equal(withoutLinks('[x](command:quit) [y](https://a)'), '[x] (command:quit) [y] (https://a)'));
});

describe('an execution that could not be told', () => {
  const trigger = { workflowId: 'w', executionIds: [], status: 'triggered', answeredAt: null };
  const say = (...eventIds: readonly string[]): string => describeUnknown({ ...trigger, eventIds });

  it('is spoken of with the events that the service named, a few of them', () => {
    assert.match(say(), /look at its newest executions\.$/);
    assert.match(say('evt_1'), /newest executions\. Its event: evt_1$/);
    assert.match(say('e1', 'e2\n', 'e3', 'e4'), / Its event: e1, e2, e3, …$/);
  });
});

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
      const narrowing = decodeFilter(value);
      assert.equal(narrowing && describeFilter(narrowing, 'Name'), words);
    });

  it('stands above the rows, and beside the title where a welcome view is', () => {
    const failed: ViewFilter = { workflowId: null, filter: { status: 'failed', period: null } };
    const lines = (filter: ViewFilter, welcome: Parameters<typeof executionsFrame>[1]) => {
      const { message, description } = executionsFrame(filter, welcome, '');
      return { message, description };
    };
    assert.deepEqual(lines(noFilter, 'ready'), { message: '', description: '' });
    assert.deepEqual(lines(failed, 'filtered'), { message: '', description: 'failed' });
    assert.deepEqual(lines(failed, 'byWorkflow'), { message: '', description: 'failed' });
    assert.match(lines(failed, 'ready').message, /^Filter: failed\. .*clears it/);
  });

  it('has a welcome view of its own for each empty state', () => {
    const list = { status: 'loaded', hasData: true, items: [], nextCursor: null, error: null } as const;
    const failed = { ...noFilter, filter: { status: 'failed', period: null } } as const;
    const welcome = (narrowing: ViewFilter, change: object, canList = true): string =>
      welcomeState(narrowing, { ...list, ...change }, canList);
    assert.equal(welcome(noFilter, {}), 'empty');
    assert.equal(welcome(failed, {}), 'filtered');
    assert.equal(welcome(failed, { hasData: false }), 'loading');
    assert.equal(welcome(noFilter, { error: new ServiceError({ kind: 'unavailable' }, 'down') }), 'failed');
    assert.equal(welcome(failed, { items: [makeExecution('e')] }), 'ready');
    const error = new ServiceError({ kind: 'notOffered' }, 'no such endpoint');
    assert.equal(welcome(failed, { error }), 'byWorkflow');
    assert.equal(welcome({ ...failed, workflowId: 'w' }, { error }), 'failed');
    assert.equal(welcome(noFilter, { error }, false), 'failed');
  });
});

describe('the rows of the Executions view', () => {
  function createTree(world: World) {
    const activeFilter = new ActiveFilter(world.connections, world.executions);
    const deps = { ...world, contextKeys: () => undefined };
    return { activeFilter, tree: createExecutionsTree(new MemoryTreeView(), deps, activeFilter) };
  }

  it('are at most a thousand, and then say how to narrow', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.executions = Array.from({ length: 1500 }, (_, at) => makeExecution(`e${at}`));
    const { tree, activeFilter } = createTree(world);
    const shown = activeFilter.scope.current ?? assert.fail();
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
    const { tree } = createTree(world);
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
    const { tree, activeFilter } = createTree(world);
    assert.deepEqual([await tree.getChildren(), welcomeOf(world, activeFilter)], [[], 'byWorkflow']);
    world.first.failure = null;
    world.first.executions = [makeExecution('e1')];
    activeFilter.set({ ...noFilter, workflowId: 'w1' });
    assert.deepEqual([(await tree.getChildren()).length, welcomeOf(world, activeFilter)], [1, 'ready']);
    tree.dispose();
  });

  it('say why they could not be read', async () => {
    const world = createWorld();
    await connectBoth(world);
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 });
    const { tree } = createTree(world);
    const [row] = await tree.getChildren();
    assert.ok(row?.kind === 'note' && row.isProblem && row.text.includes('503'));
    tree.dispose();
  });
});
