// Saved searches stay, each with its connection, and are counted while somebody looks.
import assert from 'node:assert/strict';
import { SearchError } from '../../../src/domain/errors.ts';
import { everythingOf } from '../../../src/model/executions/connectionExecutions.ts';
import { isCountedByList, SearchCounts } from '../../../src/model/search/searchCounts.ts';
import { maximumSaved, SavedSearches } from '../../../src/model/search/savedSearches.ts';
import { parseSearch } from '../../../src/model/search/searchQuery.ts';
import { MemoryRecords, settle } from '../../support/memory/ports.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const search = (query: string, change: { name?: string; isCounted?: boolean } = {}) => ({
  query,
  name: query,
  isCounted: false,
  ...change,
});

async function open() {
  const world = createWorld();
  const [connectionId, otherId] = await connectBoth(world);
  const records = new MemoryRecords();
  const create = () =>
    new SavedSearches({ records, connections: world.connections, keyPrefix: () => 'svc_sk_' });
  return {
    ...world,
    connectionRecords: world.records,
    connectionId,
    otherId,
    records,
    saved: create(),
    create,
  };
}

describe('saved searches', () => {
  it('are those of their connection, one for each query, also in the next window', async () => {
    const { saved, connectionId, otherId, create } = await open();
    const changed: string[] = [];
    saved.onDidChange((id) => changed.push(id));
    await saved.save(connectionId, search('a'));
    await saved.save(connectionId, search('b'));
    await saved.save(connectionId, search('a', { name: 'First', isCounted: true }));
    await saved.save(otherId, search('c'));
    const expected = [search('a', { name: 'First', isCounted: true }), search('b')];
    assert.deepEqual(saved.list(connectionId), expected);
    assert.deepEqual(create().list(connectionId), expected);
    assert.deepEqual(changed, [connectionId, connectionId, connectionId, otherId]);
    await saved.remove(connectionId, 'a');
    assert.deepEqual(create().list(connectionId), [search('b')]);
  });

  it('keep what another window has saved meanwhile, and hold no key', async () => {
    const { saved, connectionId, create } = await open();
    await create().save(connectionId, search('theirs'));
    await saved.save(connectionId, search('svc_sk_0123456789abcdef'));
    assert.deepEqual(
      saved.list(connectionId).map(({ query }) => query),
      ['theirs', 'svc_sk_0123…'],
    );
  });

  it('are so many at most that another one is refused, and none gives way', async () => {
    const { saved, connectionId, otherId, create } = await open();
    const other = create();
    for (let at = 0; at < maximumSaved; at += 1) await saved.save(connectionId, search(`q${at}`));
    const before = saved.list(connectionId);
    const isFull = (error: unknown) => error instanceof SearchError && error.reason.kind === 'tooManySaved';
    assert.throws(() => saved.requireRoom(connectionId, 'another'), isFull);
    // This window doesn't know of the others yet.
    other.requireRoom(connectionId, 'another');
    await assert.rejects(other.save(connectionId, search('another')), isFull);
    assert.deepEqual(create().list(connectionId), before);
    saved.requireRoom(connectionId, 'q0');
    await saved.save(connectionId, search('q0', { isCounted: true }));
    await saved.save(otherId, search('another'));
    assert.equal(saved.list(connectionId).length, maximumSaved);
  });

  it('are those of both windows once the other one is looked at', async () => {
    const { saved, connectionId, otherId, create } = await open();
    const other = create();
    await saved.save(connectionId, search('a'));
    const changed: string[] = [];
    other.onDidChange((id) => changed.push(id));
    other.reload();
    assert.deepEqual(other.list(connectionId), [search('a')]);
    other.reload();
    await other.save(connectionId, search('a', { isCounted: true }));
    await other.save(otherId, search('b'));
    saved.reload();
    assert.deepEqual(saved.list(connectionId), [search('a', { isCounted: true })]);
    assert.deepEqual(saved.list(otherId), [search('b')]);
    await saved.remove(connectionId, 'a');
    other.reload();
    assert.deepEqual(other.list(connectionId), []);
    assert.deepEqual(changed, [connectionId, connectionId, otherId, connectionId]);
  });

  it('stay while the connections cannot be read, as those of a newer version', async () => {
    const { saved, connectionId, connections, connectionRecords, records } = await open();
    await saved.save(connectionId, search('a'));
    connectionRecords.texts.set('version', '{"version":2}');
    connections.reload();
    await settle();
    assert.deepEqual(connections.all.current, []);
    assert.equal(records.texts.has(connectionId), true);
  });

  it('that cannot be read for now are not replaced', async () => {
    const { connectionId, connections } = await open();
    class HiddenRecords extends MemoryRecords {
      isHidden = false;

      override read(): ReadonlyMap<string, string> {
        return this.isHidden ? new Map() : super.read();
      }
    }
    const records = new HiddenRecords();
    const saved = new SavedSearches({ records, connections, keyPrefix: () => 'svc_sk_' });
    await saved.save(connectionId, search('a'));
    records.isHidden = true;
    await assert.rejects(saved.save(connectionId, search('b')), SearchError);
    records.isHidden = false;
    await saved.save(connectionId, search('b'));
    assert.deepEqual(saved.list(connectionId), [search('a'), search('b')]);
  });

  it('go with their connection, and a damaged record is none', async () => {
    const { saved, connectionId, connections, records, create } = await open();
    await saved.save(connectionId, search('a'));
    await connections.remove(connectionId);
    await settle();
    assert.equal(records.texts.has(connectionId), false);
    records.texts.set('other', '{"not": "a list"');
    assert.deepEqual(create().list('other'), []);
  });
});

describe('the counts of saved searches', () => {
  async function start() {
    const opened = await open();
    const { first, saved, connectionId } = opened;
    first.executions = Array.from({ length: 130 }, (_, at) =>
      makeExecution(`e${at}`, { status: statusOf(at < 3 ? 'failed' : 'completed') }),
    );
    await saved.save(connectionId, search('status:failed', { isCounted: true }));
    await saved.save(connectionId, search('status:completed', { isCounted: true }));
    await saved.save(connectionId, search('status:queued'));
    return { ...opened, counts: new SearchCounts({ ...opened, saved }) };
  }
  const until = async (counts: SearchCounts, size: number): Promise<void> => {
    while (counts.counts.current.size !== size) await settle();
  };

  it('are of those that are wanted, up to a hundred, while somebody looks', async () => {
    const { first, counts, clock } = await start();
    await clock.advance(120_000);
    assert.equal(counts.counts.current.size, 0);
    counts.setAttended(true);
    await until(counts, 2);
    assert.deepEqual(
      [...counts.counts.current],
      [
        ['status:failed', { count: 3, hasMore: false }],
        ['status:completed', { count: 100, hasMore: true }],
      ],
    );
    first.changeExecution('e9', { status: statusOf('failed') });
    await clock.advance(60_000);
    assert.equal(counts.counts.current.get('status:failed')?.count, 4);
    counts.setAttended(false);
    const calls = first.calls.length;
    await clock.advance(180_000);
    assert.equal(first.calls.length, calls);
    counts.dispose();
  });

  it('end their round although executions change all the time, and let everything else go first', async () => {
    const { first, counts, clock, executions, connectionId } = await start();
    await executions.refresh(everythingOf(connectionId));
    const [before, letThrough] = [first.calls.length, first.hold()];
    counts.setAttended(true);
    await settle();
    for (let seconds = 0; seconds < 30; seconds += 1) {
      const [createdAt, startedAt] = [new Date(clock.now()), new Date(clock.now())];
      executions.upsert(connectionId, makeExecution(`n${seconds}`, { createdAt, startedAt }));
      await clock.advance(1000);
    }
    assert.equal(first.calls.length, before + 1);
    first.letThrough();
    letThrough();
    await until(counts, 2);
    assert.deepEqual(
      first.purposes.slice(before).filter((purpose) => purpose !== 'search'),
      [],
    );
    counts.dispose();
  });

  it('look for the workflows of a name once in ten minutes', async () => {
    const { first, counts, clock, saved, connectionId } = await open().then((opened) => ({
      ...opened,
      counts: new SearchCounts(opened),
    }));
    first.workflows = [makeWorkflow('w1', { name: 'Invoices' })];
    first.executions = [makeExecution('e1', { workflowId: 'w1' })];
    await saved.save(connectionId, search('workflow:Invoices', { isCounted: true }));
    const lists = (): number => first.calls.filter((call) => call.startsWith('workflows')).length;
    counts.setAttended(true);
    await until(counts, 1);
    const listed = lists();
    await clock.advance(9 * 60_000);
    assert.equal(lists(), listed);
    await clock.advance(2 * 60_000);
    assert.equal(lists(), listed + 1);
    counts.dispose();
  });

  it('stay where the service is down, and are forgotten with another connection', async () => {
    const { first, counts, clock, connections, otherId } = await start();
    counts.setAttended(true);
    await until(counts, 2);
    first.failure = new Error('down');
    await clock.advance(60_000);
    assert.equal(counts.counts.current.size, 2);
    await connections.switchTo(otherId);
    assert.equal(counts.counts.current.size, 0);
    counts.dispose();
  });

  it('cost no request for each execution', () => {
    const reads = (query: string) => !isCountedByList(parseSearch(query, { now: () => 0 }).filter);
    assert.deepEqual(
      ['status:failed after:1d longer:5s kind:draft workflow:w', 'text', 'error:timeout', 'node:n1'].map(
        reads,
      ),
      [false, true, true, true],
    );
  });
});
