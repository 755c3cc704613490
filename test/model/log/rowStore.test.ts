// All rows of logs are in one database that nobody else sees: once and in order, with no key, and gone with the window.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { LogFeed } from '../../../src/model/log/logFeed.ts';
import { LogTable } from '../../../src/model/log/logTable.ts';
import { LogFeeds, maximumValueBytes } from '../../../src/model/log/logFeeds.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { logLines } from '../../../src/words/renderLogLine.ts';
import { readRow, writeRow } from '../../../src/model/log/rowText.ts';
import { createFeed, createRowStore } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { tries } from '../../support/properties.ts';

const startedAt = new Date('2026-01-05T10:00:00.000Z');
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, at) => from + at);
const textsOf = (feed: LogFeed) => feed.lines(0, feed.count).map(({ text }) => text);
const messagesOf = (feed: LogFeed) => textsOf(feed).map((text) => text.slice(text.indexOf(': ') + 2));

describe('the rows of a log', () => {
  let feed: LogFeed;
  let announced: (number | null)[];
  beforeEach(() => {
    feed = createFeed();
    announced = [];
    feed.onDidAppend(({ rows }) => announced.push(...rows.map(({ sequence }) => sequence)));
  });

  it('are there once and in order, however many there are', () => {
    for (let from = 1; from <= 60_000; from += 500)
      feed.append(upTo(from + 499, from).map((each) => makeNodeLog(each, { message: `${each}` })));
    assert.deepEqual(messagesOf(feed), upTo(60_000).map(String));
    assert.deepEqual(announced, upTo(60_000));
    assert.deepEqual([feed.count, feed.lastSequence], [60_000, 60_000]);
  });

  it("don't come twice when a service repeats them, with numbers or without", () => {
    feed.append(upTo(100).map((each) => makeNodeLog(each)));
    feed.append(['a', 'b'].map((key) => makeNodeLog(0, { key, sequence: null })));
    feed.append(upTo(101).map((each) => makeNodeLog(each)));
    feed.append(['b', 'c'].map((key) => makeNodeLog(0, { key, sequence: null })));
    assert.deepEqual(
      feed.rows.map(({ key }) => key),
      [...upTo(100).map((each) => `log_${each}`), 'a', 'b', 'log_101', 'c'],
    );
  });

  it('stand where they belong, however late they come', () => {
    feed.append(upTo(3000).map((each) => makeNodeLog(each * 2, { message: `${each * 2}` })));
    feed.append([5, 3001, 5999, 1].map((each) => makeNodeLog(each, { message: `${each}` })));
    assert.deepEqual(
      messagesOf(feed),
      [...upTo(3000).map((each) => each * 2), 5, 3001, 5999, 1]
        .toSorted((one, other) => one - other)
        .map(String),
    );
    assert.deepEqual(
      feed.lines(0, 4).map(({ position }) => position),
      [0, 1, 2, 3],
    );
  });

  it('that come again to say that their node run has ended are where they were', () => {
    feed.append([makeNodeLog(1, { status: statusOf('running') }), makeNodeLog(2, { nodeId: 'n2' })]);
    for (let times = 0; times < 2; times += 1)
      feed.append([makeNodeLog(1, { status: statusOf('completed') })]);
    assert.equal(feed.nodeRuns[0]?.status?.state, 'completed');
    assert.deepEqual(announced, [1, 2]);
    assert.equal(feed.count, 2);
  });

  it('leave their node run with its first and last hundred, and all of its values', () => {
    const output = { text: 'x'.repeat(1000) };
    feed.append([
      makeNodeLog(1, { startedAt, status: statusOf('running'), input: { a: 1 } }),
      ...upTo(999, 2).map((each) => makeNodeLog(each, { startedAt })),
      makeNodeLog(1000, { startedAt, status: statusOf('completed'), durationMs: 7, output }),
    ]);
    const [run] = feed.nodeRuns;
    assert.deepEqual([run?.status?.state, run?.startedAt, run?.durationMs], ['completed', startedAt, 7]);
    assert.deepEqual([run?.input, run?.output], [{ a: 1 }, output]);
    assert.deepEqual(run?.valueKeys, { input: 'log_1', output: 'log_1000', exchange: null });
    assert.deepEqual(
      run.logs.map(({ sequence }) => sequence),
      [...upTo(100), ...upTo(1000, 901)],
    );
    feed.append([makeNodeLog(1001, { startedAt, output: 1 })]);
    const [later] = feed.nodeRuns;
    assert.deepEqual([later?.output, later?.logs.length, later?.logs.at(-1)?.sequence], [1, 200, 1001]);
  });

  it('come back with all that they had but their values', () => {
    const row = makeNodeLog(1, {
      reusedFrom: 'exec_1',
      isPinned: true,
      isAnswered: true,
      durationMs: 7,
      iteration: [2],
      attempt: 3,
      level: 'warn',
    });
    assert.deepEqual(readRow(writeRow(row, logLines, 'svc_sk_')), row);
  });

  it('hold no key, wherever it stands, and know that it is masked', () => {
    const key = ['svc', 'sk', 'abcd1234EFGH5678ijkl'].join('_');
    const row = makeNodeLog(1, {
      key,
      nodeId: key,
      nodeName: key,
      nodeType: key,
      message: `"authorization":"Bearer abc.def\\"\n${key}`,
      status: { ...statusOf('failed'), word: key },
      error: { code: key, message: key, nodeId: key },
    });
    const text = writeRow(row, logLines, 'svc_sk_');
    assert.doesNotMatch(Object.values(text).join('\n'), /1234|abc\.def/);
    assert.equal(readRow(text).message, '"authorization":"Bearer [redacted]"\nsvc_sk_abcd…');
    feed.append([row, makeNodeLog(2)]);
    feed.append([row]);
    assert.deepEqual(
      feed.lines(0, 2).map(({ hasMaskedKeys }) => hasMaskedKeys),
      [true, false],
    );
  });

  it("don't come twice, whatever their keys", () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (_: string, error: unknown) => errors.push(error) };
    feed = new LogFeed(new LogTable(createRowStore({ logger })));
    const keys = ['\ud800 half', '\udfff half', '\0', '"\\', '\u{1f600}'];
    const repeated = keys.map((key, at) => makeNodeLog(at + 1, { key, output: { at } }));
    for (let times = 0; times < 2; times += 1) feed.append(repeated);
    assert.deepEqual([feed.count, errors], [keys.length, []]);
    assert.deepEqual(
      feed.rows.map(({ output }) => output),
      repeated.map(({ output }) => output),
    );
  });

  it('come back as they were given, whatever the texts', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constant('\ud800 half'));
    const date = fc.option(fc.date({ noInvalidDate: true }));
    fc.assert(
      fc.property(text, text, text, date, fc.boolean(), (message, nodeId, nodeName, at, hasFailed) => {
        const row = makeNodeLog(1, {
          message,
          nodeId,
          nodeName,
          startedAt: at,
          status: hasFailed ? statusOf('failed') : null,
          error: hasFailed ? { code: null, message, nodeId: null } : null,
          level: hasFailed ? 'error' : 'info',
        });
        assert.deepEqual(readRow(writeRow(row, logLines, 'svc_sk_')), row);
      }),
      tries(300),
    );
  });
});

describe('the store of all rows', () => {
  const support = join(import.meta.dirname, '../../support');
  const program = join(support, 'rowStoreProgram.ts');
  const rows = (count: number, from = 1) =>
    upTo(from + count - 1, from).map((each) => makeNodeLog(each, { message: `${each} ${'x'.repeat(500)}` }));

  it('lets the oldest rows go beyond its limit, and says how many', () => {
    const store = createRowStore({ maximumBytes: 8 * 1024 * 1024 });
    const feed = new LogFeed(new LogTable(store));
    for (let from = 1; from <= 20_000; from += 1000) feed.append(rows(1000, from));
    const gone = feed.goneRows;
    assert.ok(gone > 5000 && gone < 19_000, `${gone}`);
    const kept = feed.lines(0, feed.count);
    assert.deepEqual(
      kept.map(({ position }) => position),
      upTo(20_000 - 1, gone),
    );
    assert.equal(feed.nodeRuns.length, 1);
    feed.append([makeNodeLog(20_001)]);
    assert.equal(feed.count, 20_001);
    store.dispose();
  });

  it('counts rows once that it let go and that come again, which may end their node runs', () => {
    const store = createRowStore({ maximumBytes: 8 * 1024 * 1024 });
    const feed = new LogFeed(new LogTable(store));
    const start = makeNodeLog(1, {
      nodeId: 'long',
      startedAt,
      status: statusOf('running'),
      output: 'so far',
    });
    feed.append([start]);
    for (let from = 2; from <= 20_000; from += 1000) feed.append(rows(1000, from));
    const { count, goneRows, valueBytes } = feed;
    let announced = 0;
    feed.onDidAppend((appended) => (announced += appended.rows.length));
    for (let times = 0; times < 2; times += 1) feed.append([start, ...rows(1000, 2)]);
    assert.deepEqual(
      [feed.count, feed.goneRows, feed.valueBytes, announced],
      [count, goneRows, valueBytes, 0],
    );
    assert.equal(feed.nodeRuns[0]?.status?.state, 'running');
    feed.append([{ ...start, status: statusOf('completed') }]);
    assert.equal(feed.nodeRuns[0].status.state, 'completed');
    assert.equal(feed.nodeRuns.length, 2);
    store.dispose();
  });

  it('deletes the rows of a log that is used no longer', async () => {
    const store = createRowStore();
    const feeds = new LogFeeds(() => undefined, store);
    const kept = upTo(20).map((at) => feeds.keep({ connectionId: 'c1', executionId: `e${at}` }));
    for (const { feed } of kept) feed.append(rows(1000));
    assert.ok(feeds.valueBytes <= maximumValueBytes);
    for (const each of kept) each.dispose();
    feeds.forgetOthers(() => false);
    while (store.get('SELECT 1 FROM rows LIMIT 1') !== undefined)
      await new Promise((done) => setImmediate(done));
    store.dispose();
  });

  it('keeps the latest rows in memory where no file can grow, and says so once', async function () {
    if (process.platform === 'win32') this.skip();
    const command = `ulimit -f 2048; exec "${process.execPath}" --require "${join(support, 'registerVscode.ts')}" "${program}"`;
    const window = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: unknown[] = await once(window.stdout, 'data');
    window.kill('SIGKILL');
    assert.match(String(said[0]), /^written [1-9]\d+ of 20000, said 1\n/);
  });

  it('says in words where the editor has no SQLite', async () => {
    const without = ['--no-experimental-sqlite', '--require', join(support, 'registerVscode.ts'), program];
    const window = spawn(process.execPath, without, { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = await text(window.stderr);
    assert.match(said, /^Error: This version of VS Code has no SQLite\.$/m);
  });

  it('leaves nothing on the disk, not even of a window that was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-rows-'));
    try {
      const window = spawn(process.execPath, ['--require', join(support, 'registerVscode.ts'), program], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, SQLITE_TMPDIR: folder, TMP: folder, TEMP: folder },
      });
      await once(window.stdout, 'data');
      window.kill('SIGKILL');
      await once(window, 'exit');
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
