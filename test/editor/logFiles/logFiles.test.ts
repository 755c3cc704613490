// The beginnings of long logs as files: every row comes back, windows don't meet, the limit holds, nothing is left over.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { silentLogger } from '../../../src/base/logger.ts';
import type { LogEntry } from '../../../src/domain/logEntry.ts';
import { readEntry, writeEntry } from '../../../src/editor/logFiles/entryText.ts';
import type { LogFile } from '../../../src/editor/logFiles/logFile.ts';
import { LogFiles } from '../../../src/editor/logFiles/logFiles.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { tries } from '../../support/properties.ts';

const entry = (sequence: number, message = `row ${sequence}`): LogEntry => ({
  row: makeNodeLog(sequence, { message }),
  position: sequence,
  runKey: 'run',
});
const entries = (count: number, from = 0) => Array.from({ length: count }, (_, at) => entry(from + at));

async function readAll(file: LogFile): Promise<readonly (number | null)[]> {
  const all: (number | null)[] = [];
  for (let position = 0; position < file.rowCount;) {
    const block = await file.read(position);
    assert.ok(block);
    for (const each of block.entries) assert.equal(each.position, each.row.sequence);
    all.push(...block.entries.map((each) => each.row.sequence));
    position = block.firstRow + block.rowCount;
  }
  return all;
}

describe('the files of long logs', () => {
  let folder: string;
  let files: LogFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'workflow-automation-logs-'));
    files = new LogFiles(folder, silentLogger);
  });
  afterEach(() => {
    files.dispose();
    // A part that was being written may still come to stand in it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const paths = () =>
    readdirSync(folder).flatMap((own) =>
      readdirSync(join(folder, own)).map((name) => join(folder, own, name)),
    );

  it('have every row, before and after it was written', async () => {
    const file = files.create('e');
    file.append(entries(1000));
    assert.deepEqual(
      await readAll(file),
      entries(1000).map(({ row }) => row.sequence),
    );
    await file.written();
    file.append(entries(700, 1000));
    await file.written();
    assert.deepEqual(
      await readAll(file),
      entries(1700).map(({ row }) => row.sequence),
    );
    assert.deepEqual([file.rowCount, file.goneRows], [1700, 0]);
    assert.equal(paths().length, 1);
  });

  it('find a row by its position', async () => {
    const file = files.create('e');
    file.append(entries(600));
    const block = await file.read(520);
    assert.deepEqual([block?.firstRow, block?.rowCount], [512, 88]);
    assert.equal(await file.read(600), undefined);
  });

  it('are for this user alone, and their names tell nothing', async function () {
    if (process.platform === 'win32') this.skip();
    const file = files.create('["connection","execution"]');
    file.append(entries(1));
    await file.written();
    const [path = ''] = paths();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
    assert.match(path, /[0-9a-f]{32}-[0-9a-f]{8}-1\.ndjson$/);
  });

  it('are gone when their log or their window is', async () => {
    const [first, second] = [files.create('e'), files.create('e')];
    for (const file of [first, second]) {
      file.append(entries(10));
      await file.written();
    }
    assert.equal(paths().length, 2);
    first.dispose();
    assert.equal(paths().length, 1);
    assert.deepEqual((await first.read(0))?.entries, []);
    files.dispose();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('hold no key, wherever it stands, and a row knows that its keys are masked', async () => {
    const key = ['svc', 'sk', 'abcd1234EFGH5678ijkl'].join('_');
    const row = makeNodeLog(1, {
      key,
      nodeId: key,
      // Where a name is cut.
      nodeName: 'n'.repeat(990) + key,
      nodeType: key,
      message: `"authorization":"Bearer abc.def\\"\n${key}`,
      status: { ...statusOf('failed'), word: key },
      error: { code: key, message: 'e'.repeat(16 * 1024 - 12) + key, nodeId: key },
    });
    const file = files.create('e');
    file.append([{ row, position: 0, runKey: key }, entry(1)]);
    await file.written();
    const [path = ''] = paths();
    assert.doesNotMatch(readFileSync(path, 'utf8'), /1234|abc\.def/);
    const block = await file.read(0);
    assert.deepEqual(
      block?.entries.map(({ hasMaskedKeys }) => hasMaskedKeys),
      [true, undefined],
    );
    assert.equal(block.entries[0]?.row.message, '"authorization":"Bearer [redacted]"\nsvc_sk_abcd…');
  });

  it('stay within the limit: the oldest parts go, and what is gone is said', async () => {
    files = new LogFiles(folder, silentLogger, { maximumBytes: 100_000, partBytes: 20_000 });
    const file = files.create('e');
    for (let from = 0; from < 4096; from += 256) {
      file.append(entries(256, from));
      await file.written();
      await files.settled();
    }
    const bytes = paths().reduce((sum, path) => sum + statSync(path).size, 0);
    assert.ok(bytes < 130_000, `${bytes} bytes`);
    const all = await readAll(file);
    assert.ok(all.length > 0 && all.length < 4096);
    assert.equal(all[0], file.goneRows);
    assert.equal(all.at(-1), 4095);
  });

  it('stay within the limit where no log fills a part, and what comes later is kept', async () => {
    files = new LogFiles(folder, silentLogger, { maximumBytes: 100_000, partBytes: 20_000 });
    const logs = Array.from({ length: 20 }, (_, at) => files.create(`e${at}`));
    for (const log of logs) {
      log.append(entries(100));
      await log.written();
      await files.settled();
    }
    const sizes = paths().map((path) => statSync(path).size);
    assert.ok(Math.max(...sizes) < 20_000, 'no part is full');
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < 130_000, `${bytes} bytes`);
    const [first] = logs;
    assert.ok(first);
    assert.deepEqual((await first.read(0))?.entries, []);
    first.append(entries(10, 100));
    await first.written();
    const later = await first.read(100);
    assert.deepEqual(
      later?.entries.map(({ row }) => row.sequence),
      entries(10, 100).map(({ row }) => row.sequence),
    );
  });

  it('have long messages whole, few of them read together', async () => {
    const file = files.create('e');
    const message = 'x'.repeat(1024 * 1024);
    file.append([...entries(2), entry(2, message), entry(3, message), entry(4)]);
    for (const written of [false, true]) {
      if (written) await file.written();
      const block = await file.read(0);
      assert.deepEqual(
        block?.entries.map(({ row }) => row.message.length),
        [5, 5, message.length],
      );
    }
    assert.equal((await readAll(file)).length, 5);
  });

  it('that are damaged are gone, not shown', async () => {
    const file = files.create('e');
    file.append(entries(10));
    await file.written();
    const [path = ''] = paths();
    writeFileSync(path, '{"run":1}\n');
    assert.deepEqual((await file.read(0))?.entries, []);
    assert.equal(file.goneRows, 10);
  });

  it('that cannot be written lose the rows, and say so', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    files = new LogFiles(path, silentLogger);
    const file = files.create('e');
    file.append(entries(10));
    await file.written();
    assert.equal(file.goneRows, 10);
    assert.deepEqual((await file.read(0))?.entries, []);
  });

  it('give back what they were given, whatever the texts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const date = fc.option(fc.date({ noInvalidDate: true }));
    fc.assert(
      fc.property(text, text, date, fc.boolean(), (message, nodeName, startedAt, hasFailed) => {
        const row = makeNodeLog(1, {
          message,
          nodeName,
          startedAt,
          status: hasFailed ? statusOf('failed') : null,
          error: hasFailed ? { code: null, message, nodeId: null } : null,
          level: hasFailed ? 'error' : 'info',
        });
        const line = writeEntry({ row, position: 7, runKey: null }, 'svc_sk_');
        assert.equal(line.split('\n').length, 2);
        assert.deepEqual(readEntry(line, 7), { row, position: 7, runKey: null });
      }),
      tries(100),
    );
  });
});
