// The Executions view shows one connection, narrowed as chosen; a switch must not show the old one's rows.
import assert from 'node:assert/strict';
import { decodeArgument } from '../../../../src/editor/commands/argument.ts';
import { declaredCommands } from '../../../../src/editor/commands/declared/all.ts';
import {
  ActiveFilter,
  describeViewFilter,
  isViewFiltered,
  noViewFilter,
  readTime,
  type ShownScope,
  toFilter,
  type ViewFilter,
} from '../../../../src/features/executions/tree/viewFilter.ts';
import { makeExecution } from '../../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';

const failed: ViewFilter = { workflowId: 'w1', filter: { states: ['failed'], period: null } };

/** The filter that code asks for. */
function narrowFromCode(value: unknown): ViewFilter {
  const argument = decodeArgument(declaredCommands['executions.filter'].argument, value, {
    caller: 'code',
    activeConnectionId: () => 'c1',
  });
  if (argument === undefined) throw new TypeError('The command refuses it.');
  return toFilter(argument);
}

describe('the scope of the Executions view', () => {
  let world: World;
  let firstId: string;
  let secondId: string;
  let view: ActiveFilter;
  let seen: (ShownScope | null)[];

  beforeEach(async () => {
    world = createWorld();
    [firstId, secondId] = await connectBoth(world);
    world.first.executions = [makeExecution('e1')];
    view = new ActiveFilter(world.connections, world.executions);
    seen = [];
    view.scope.onDidChange((scope) => seen.push(scope));
  });
  afterEach(() => view.dispose());

  it('is all of the active connection at first', () => {
    assert.deepEqual(view.scope.current, { connectionId: firstId, ...noViewFilter });
    assert.equal(isViewFiltered(noViewFilter), false);
    assert.equal(isViewFiltered(failed), true);
  });

  it('is narrowed, and forgets the list that is no longer shown', async () => {
    const all = view.scope.current ?? assert.fail();
    await world.executions.refresh(all);
    view.set(failed);
    assert.deepEqual(view.scope.current, { connectionId: firstId, ...failed });
    assert.equal(world.executions.list(all).status, 'idle');
  });

  it('forgets the filter with the connection', async () => {
    view.set(failed);
    await world.connections.switchTo(secondId);
    assert.deepEqual(view.scope.current, { connectionId: secondId, ...noViewFilter });
    assert.equal(seen.length, 2);
  });

  it('takes no filter that was chosen for another connection', async () => {
    await world.connections.switchTo(secondId);
    view.set(failed, firstId);
    assert.deepEqual(view.scope.current, { connectionId: secondId, ...noViewFilter });
    view.set(failed, secondId);
    assert.deepEqual(view.scope.current, { connectionId: secondId, ...failed });
  });

  it('begins anew when the key was replaced, with the filter', async () => {
    view.set(failed);
    const before = view.scope.current ?? assert.fail();
    await world.executions.refresh(before);
    world.first.keys.add('svc_sk_better');
    await world.connections.replaceKey(firstId, 'svc_sk_better');
    assert.deepEqual(view.scope.current, before);
    assert.notEqual(view.scope.current, before);
    assert.equal(world.executions.list(before).status, 'idle');
  });

  it('is none without a connection', async () => {
    await world.connections.remove(firstId);
    await world.connections.remove(secondId);
    assert.equal(view.scope.current, null);
    view.set(failed);
    assert.equal(view.scope.current, null);
  });
});

describe('the filter of executions', () => {
  it('reads dates and times, and nothing else', () => {
    assert.equal(readTime('2026-01-31'), new Date(2026, 0, 31).getTime());
    assert.equal(readTime(' 2026-01-31 14:00 '), new Date(2026, 0, 31, 14).getTime());
    assert.equal(readTime('2026-01-31T14:00:05.250Z'), Date.UTC(2026, 0, 31, 14, 0, 5, 250));
    assert.equal(readTime('2026-01-31T14:00+02:00'), Date.UTC(2026, 0, 31, 12));
    for (const text of [
      'yesterday-ish',
      '',
      '5',
      'day 3',
      '01.02.2026',
      '12/31/2026',
      '2026-02-30',
      '2026-01-31 24:30',
    ])
      assert.equal(readTime(text), undefined, text);
  });

  for (const [value, words] of [
    [{}, ''],
    [{ status: 'failed' }, 'failed'],
    [{ workflowId: 'w', status: 'running', within: 'day' }, 'Name, running, last 24 hours'],
    [{ status: ['failed', 'running', 'failed'] }, 'failed or running'],
    [{ status: [] }, ''],
    [{ status: 'failed', drafts: false }, 'failed, without drafts'],
    [{ drafts: true }, ''],
    [{ drafts: 'no' }, undefined],
    [{ status: ['odd'] }, undefined],
    [{ within: 'week' }, 'last 7 days'],
    [{ status: 'odd' }, undefined],
    [{ within: 'year' }, undefined],
    [{ since: 'whenever' }, undefined],
    [{ since: 5 }, undefined],
  ] as const)
    it(`from code ${JSON.stringify(value)} is ${words ?? 'refused'}`, () => {
      if (words === undefined) assert.throws(() => narrowFromCode(value), TypeError);
      else assert.equal(describeViewFilter(narrowFromCode(value), 'Name'), words);
    });
});
