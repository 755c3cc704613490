// Windows that change connections at once lose none, and what is stored is kept whatever it is.
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { type Clock, systemClock } from '../../../src/base/time.ts';
import { isConnectionError } from '../../../src/domain/errors.ts';
import type { Connection } from '../../../src/domain/connection.ts';
import { ConnectionRecords } from '../../../src/model/connections/connectionRecords.ts';
import { RecordFiles } from '../../../src/editor/recordFiles.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { MemoryState } from '../../support/memory/ports.ts';
import { createRandom } from '../../support/randomNumbers.ts';

const record = (id: string, name = id): Connection => ({
  id,
  name,
  kind: 'remote',
  baseUrl: 'https://first.example/v1',
});

describe('the records of connections', () => {
  let folder: string;
  const windows: ConnectionRecords[] = [];

  const openFiles = (clock: Clock = systemClock) => new RecordFiles(folder, silentLogger, clock);
  const openWindow = (records = openFiles()): ConnectionRecords => {
    const opened = new ConnectionRecords({
      records,
      workspaceState: new MemoryState(),
    });
    windows.push(opened);
    return opened;
  };
  const add = (window: ConnectionRecords, added: Connection): Promise<void> =>
    window.change((records) => [...records, added]);
  const names = (window: ConnectionRecords): readonly string[] => {
    window.reload();
    return window.all.current.map(({ name }) => name);
  };
  const files = (): readonly string[] => readdirSync(folder).toSorted();

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'connections-')), 'connections');
  });
  afterEach(() => {
    for (const window of windows.splice(0)) window.dispose();
    rmSync(join(folder, '..'), { recursive: true });
  });

  it('that two windows add at once are all there', async () => {
    const [first, second] = [openWindow(), openWindow()];
    await Promise.all([add(first, record('a')), add(second, record('b')), add(first, record('c'))]);
    for (const window of [first, second, openWindow()])
      assert.deepEqual([...names(window)].toSorted(), ['a', 'b', 'c']);
  });

  it('tell each window of a removal, once', async () => {
    const [first, second] = [openWindow(), openWindow()];
    const removed: string[] = [];
    for (const [name, window] of Object.entries({ first, second }))
      window.onDidRemove((id) => removed.push(`${name}: ${id}, of ${window.all.current.length} left`));
    await add(first, record('a'));
    await add(first, record('b'));
    second.reload();
    await second.change((records) => records.filter(({ id }) => id !== 'a'));
    first.reload();
    first.reload();
    assert.deepEqual(removed, ['second: a, of 1 left', 'first: a, of 1 left']);
  });

  it('keep every change of three windows, however they fall together', async () => {
    const random = createRandom(8);
    for (let round = 0; round < 50; round += 1) {
      const opened = [openWindow(), openWindow(), openWindow()];
      const shared = record(`shared-${round}`, '');
      const removed = record(`removed-${round}`);
      await add(openWindow(), shared);
      await add(openWindow(), removed);
      const before = new Set(names(openWindow()));
      const changes = Array.from({ length: 6 }, (_, at) => {
        const window = opened[Math.floor(random() * opened.length)] ?? openWindow();
        const kind = Math.floor(random() * 2);
        if (kind === 0) return { added: `${round}-${at}`, run: () => add(window, record(`${round}-${at}`)) };
        // Each writes one letter more, so that a lost change is a lost letter.
        return {
          added: undefined,
          run: () =>
            window.change((records) =>
              records.map((each) => (each.id === shared.id ? { ...each, name: `${each.name}x` } : each)),
            ),
        };
      });
      const remove = (opened[0] ?? openWindow()).change((records) =>
        records.filter(({ id }) => id !== removed.id),
      );
      await Promise.all([remove, ...changes.map(({ run }) => run())]);
      const expected = new Set([...before].filter((name) => name !== removed.id && name !== ''));
      for (const { added } of changes) if (added !== undefined) expected.add(added);
      const renamed = changes.filter(({ added }) => added === undefined).length;
      expected.add('x'.repeat(renamed));
      assert.deepEqual(new Set(names(openWindow())), expected, `round ${round}`);
      await openWindow().change(() => []);
    }
  });

  it('go on being changed where a window died while it changed them', async () => {
    await add(openWindow(), record('a'));
    writeFileSync(join(folder, 'lock'), 'another window');
    await add(openWindow(openFiles(createHastyClock())), record('b'));
    assert.deepEqual(names(openWindow()), ['a', 'b']);
    assert.deepEqual(files(), ['a.json', 'b.json', 'version.json']);
  });

  it('are not changed by a window that was suspended while it changed them, once another one has', async () => {
    await add(openWindow(), record('a'));
    const [suspended, other] = [openFiles(), openFiles(createHastyClock())];
    const begun = Promise.withResolvers<undefined>();
    const wakes = Promise.withResolvers<undefined>();
    const late = suspended.exclusively(async () => {
      begun.resolve(undefined);
      await wakes.promise;
      await suspended.write('late', '{}');
    });
    await begun.promise;
    await other.exclusively(async () => {
      wakes.resolve(undefined);
      await assert.rejects(late, /Another window/);
      // It still has the lock.
      await other.delete('a');
    });
    assert.deepEqual(files(), ['version.json']);
  });

  it('that are damaged cost no other one, are kept, and are told of once', async () => {
    const window = openWindow();
    for (const id of ['a', 'b', 'c', 'd']) await add(window, record(id));
    writeFileSync(join(folder, 'a.json'), '{"position":1,"connec');
    writeFileSync(join(folder, 'b.json'), '{"position":1,"connection":{"id":"b"}}');
    writeFileSync(join(folder, 'version.json'), '{');
    const [next, later] = [openWindow(), openWindow()];
    assert.deepEqual(names(next), ['c', 'd']);
    assert.equal(next.trouble.current.damaged.length, 2);
    assert.deepEqual(later.trouble.current.damaged, []);
    await add(later, record('e'));
    assert.deepEqual(names(openWindow()), ['c', 'd', 'e']);
    const kept = files().filter((file) => file.endsWith('.damaged'));
    assert.equal(kept.length, 2);
    assert.equal(readFileSync(join(folder, kept[0] ?? ''), 'utf8'), '{"position":1,"connec');
  });

  it('that are damaged, unreadable or lost as a whole do not count as removed, in any window', async () => {
    const [first, second] = [openWindow(), openWindow()];
    for (const id of ['a', 'b', 'c', 'd']) await add(first, record(id));
    second.reload();
    const removed: string[] = [];
    for (const [name, window] of Object.entries({ first, second }))
      window.onDidRemove((id) => removed.push(`${name}: ${id}`));
    writeFileSync(join(folder, 'a.json'), '{"position":1,"connec');
    rmSync(join(folder, 'b.json'));
    mkdirSync(join(folder, 'b.json'));
    for (const window of [first, second]) assert.deepEqual(names(window), ['c', 'd']);
    assert.deepEqual(removed, []);
    // One that was removed is, also by a window that finds another one damaged just then.
    writeFileSync(join(folder, 'd.json'), '{"position":4,"connec');
    await second.change((records) => records.filter(({ id }) => id !== 'c'));
    first.reload();
    assert.deepEqual(removed, ['second: c', 'first: c']);
    await add(first, record('e'));
    rmSync(folder, { recursive: true });
    assert.deepEqual(names(first), []);
    assert.deepEqual(removed, ['second: c', 'first: c']);
  });

  it('that are mended are there again', async () => {
    const window = openWindow();
    await add(window, record('a'));
    const text = readFileSync(join(folder, 'a.json'), 'utf8');
    writeFileSync(join(folder, 'a.json'), text.slice(5));
    assert.deepEqual(names(window), []);
    const [kept = ''] = window.trouble.current.damaged;
    writeFileSync(kept, text);
    renameSync(kept, join(folder, 'a.json'));
    assert.deepEqual(names(window), ['a']);
    const removed: string[] = [];
    window.onDidRemove((id) => removed.push(id));
    await window.change(() => []);
    assert.deepEqual(removed, ['a']);
  });

  it('of a newer version are left as they are', async () => {
    const before = openWindow();
    const removed: string[] = [];
    before.onDidRemove((id) => removed.push(id));
    await add(before, record('a'));
    writeFileSync(join(folder, 'version.json'), '{"version":2,"of":"the future"}');
    writeFileSync(join(folder, 'a.json'), '{"of":"the future"}');
    const window = openWindow();
    assert.deepEqual(names(window), []);
    assert.equal(window.trouble.current.isNewerVersion, true);
    assert.deepEqual(names(before), []);
    assert.deepEqual(removed, []);
    await assert.rejects(add(window, record('b')), (error) => isConnectionError(error, 'newerVersion'));
    assert.deepEqual(files(), ['a.json', 'version.json']);
    assert.equal(readFileSync(join(folder, 'a.json'), 'utf8'), '{"of":"the future"}');
  });

  it('that cannot be written are refused in words, and the next change tries again', async () => {
    const window = openWindow();
    writeFileSync(folder, 'a file where the folder should be');
    await assert.rejects(add(window, record('a')), (error) => isConnectionError(error, 'notStored'));
    rmSync(folder);
    await add(window, record('a'));
    assert.deepEqual(names(window), ['a']);
    assert.deepEqual(files(), ['a.json', 'version.json']);
  });
});
