// A log of any size as a document: the window that is shown, what leads out of it, and what is done with all of it.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { LogTexts } from '../../../src/features/executions/log/logTexts.ts';
import { describeWindow, renderLogLenses } from '../../../src/features/executions/log/logLenses.ts';
import { placeOf, wholeFilter } from '../../../src/features/executions/log/logView.ts';
import {
  describeMissing,
  findEntry,
  loadLog,
  searchLog,
  writeLog,
} from '../../../src/features/executions/log/logReading.ts';
import { countLogLines, readLogBlocks } from '../../../src/model/executions/wholeLog.ts';
import type { LogFeed } from '../../../src/model/executions/logFeed.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

const count = 23_000;
const { signal } = new AbortController();

/** One line in a thousand is an error, and one in a hundred has two lines. */
function rowAt(number: number): NodeLog {
  const isError = number % 1000 === 0;
  return makeNodeLog(number, {
    level: isError ? 'error' : number % 500 === 0 ? 'warn' : 'info',
    message: number % 100 === 50 ? `row ${number}\nmore` : `row ${number}`,
    nodeId: number <= 10_000 ? 'n1' : 'n2',
    nodeName: number <= 10_000 ? 'First' : 'Second',
  });
}

describe('a long log', () => {
  let world: World;
  let logs: LogTexts;
  let feed: LogFeed;
  let target: { connectionId: string; executionId: string };

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, executionId: 'e' };
    logs = new LogTexts(world);
    ({ feed } = world.executions.keepLogs(target));
    feed.append(Array.from({ length: count }, (_, at) => rowAt(at + 1)));
    feed.shrink(2 * 1024 * 1024);
  });

  const render = () => logs.render(target, makeExecution('e', { status: statusOf('running') }), signal);
  const lensesOf = async () => {
    const { window } = await render();
    const title = ({ title: text }: vscode.Command) => text.replace(/^\$\(.*\) /, '');
    const { above, below } = renderLogLenses(target, window, feed.nodeRuns);
    return [above.map(title), below.map(title)] as const;
  };
  const matchesOf = async (text: string) => {
    const found: number[] = [];
    for await (const matches of searchLog(feed, text, signal)) found.push(...matches.map(({ line }) => line));
    return found;
  };
  const rest = ['First Error', 'Search…', 'Filter…', 'Save Whole Log…'];
  const total = count + count / 100;

  it('is shown from its end, with its beginning in the archive', async () => {
    assert.ok(feed.leftCount > 15_000);
    assert.equal(countLogLines(feed), total);
    const { text, window, logLines } = await render();
    const lines = text.trimEnd().split('\n');
    assert.deepEqual([window.from, window.to], [20_000, total]);
    assert.equal(lines[0], '... 20,000 earlier lines');
    assert.equal(lines.at(-1), '[error] Second: row 23000');
    assert.deepEqual([logLines.length, logLines[0], logLines[1]], [lines.length, -1, 20_000]);
    assert.deepEqual(await lensesOf(), [['Lines 20,001–23,230 of 23,230', 'Earlier Lines', ...rest], []]);
  });

  it('is read up to where it was when the reading began, however fast it grows', async () => {
    let next = count;
    const grow = (rows: number) => {
      feed.append(Array.from({ length: rows }, () => rowAt((next += 1))));
      feed.shrink(0);
    };
    const rendering = render();
    grow(300);
    const { window } = await rendering;
    assert.deepEqual([window.to, window.lineCount, window.hasLater], [total, total, false]);
    let read = 0;
    for await (const { rowCount } of readLogBlocks(feed, { row: 0 }, signal)) {
      grow(2 * rowCount);
      read += rowCount;
    }
    assert.ok(read >= count + 300 && read < count + 500);
  });

  it('shows an earlier window, and says what comes after', async () => {
    logs.views.set(target, { place: { kind: 'before', line: 11_000 }, filter: wholeFilter });
    const { text, sections } = await render();
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 2002);
    assert.equal(lines[0], '... 9,000 earlier lines');
    assert.equal(lines.at(-1), '... 12,230 later lines');
    assert.deepEqual(
      sections.map(({ run }) => run.nodeName),
      ['First', 'Second'],
    );
    const later = ['Later Lines', 'Latest Lines'];
    assert.deepEqual(await lensesOf(), [
      ['Lines 9,001–11,000 of 23,230', 'Earlier Lines', 'Later Lines', ...rest],
      later,
    ]);
  });

  it('shows the rows of a level and above, and those of a node, as more come', async () => {
    const filter = { level: 'warn', nodeId: 'n2', text: null } as const;
    logs.views.set(target, { place: { kind: 'end' }, filter });
    const { window } = await render();
    assert.equal(window.shownLines, 26);
    assert.equal(describeWindow(window, feed.nodeRuns), '26 of 23,230 lines: Warnings and errors · Second');
    feed.append(Array.from({ length: 1000 }, (_, at) => rowAt(count + at + 1)));
    feed.shrink(0);
    const { text } = await render();
    assert.equal(text.trimEnd().split('\n').length, 28);
    assert.ok(text.startsWith('[warn] Second: row 10500\n'));
    logs.views.set(target, { place: { kind: 'end' }, filter: { level: 'error', nodeId: 'n3', text: null } });
    assert.equal((await render()).text, 'No lines match the filter.\n');
  });

  it('is one text as long as it has few lines, as if there were no windows', async () => {
    const few = { ...target, executionId: 'few' };
    world.executions.logs(few).append(Array.from({ length: 3999 }, (_, at) => makeNodeLog(at + 1)));
    const { text, window } = await logs.render(
      few,
      makeExecution('few', { status: statusOf('running') }),
      signal,
    );
    assert.equal(text.trimEnd().split('\n').length, 3999);
    assert.deepEqual(renderLogLenses(few, window, []), { above: [], below: [] });
  });

  it('is searched whole, whatever the case', async () => {
    const found = await matchesOf('FIRST: row 99');
    assert.equal(found.length, 1 + 10 + 100);
    const [line = 0] = found;
    logs.views.set(target, { place: placeOf(line, countLogLines(feed)), filter: wholeFilter });
    const { text, logLines } = await render();
    assert.equal(text.split('\n')[logLines.indexOf(line)], '[info] First: row 99');
  });

  it('is written whole, a piece at a time', async () => {
    let text = '';
    const told: number[] = [];
    for await (const piece of writeLog(feed, (lines) => told.push(lines), signal)) text += piece;
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, total);
    assert.equal(lines.filter((line) => line.includes(': row ')).length, count);
    assert.equal(told.at(-1), total);
  });

  it('is written without its keys, and says so; what is shown of memory has them whole', async () => {
    const key = ['svc', 'sk', 'abcd1234EFGH5678ijkl'].join('_');
    const hidden = `svc_sk_abcd\u200b1234EFGH5678ijkl`;
    feed.append([
      rowAt(count + 1),
      makeNodeLog(count + 2, { message: `${key}\nAuthorization: Bearer abc ${hidden}` }),
    ]);
    let text = '';
    for await (const piece of writeLog(feed, () => undefined, signal)) text += piece;
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(lines.slice(-3), [
      '[info] Node 1: svc_sk_abcd…',
      '    Authorization: Bearer [redacted] svc_sk_abcd…',
      '... API keys in these lines are masked',
    ]);
    assert.equal(lines.length, total + 4);
    assert.ok((await render()).text.includes(key));
  });

  it('says where it shows lines whose keys were masked in a file', async () => {
    const archived = world.archive.logs.values().next().value;
    assert.ok(archived);
    const [first] = archived.entries;
    assert.ok(first);
    archived.entries[0] = { ...first, hasMaskedKeys: true };
    const said = '... API keys in older lines are masked, since these were kept in a file\n';
    assert.ok(!(await render()).text.includes(said));
    logs.views.set(target, { place: { kind: 'from', line: 0 }, filter: wholeFilter });
    const { text, logLines } = await render();
    assert.ok(text.startsWith(said));
    assert.deepEqual(logLines.slice(0, 2), [-1, 0]);
    let saved = '';
    for await (const piece of writeLog(feed, () => undefined, signal)) saved += piece;
    assert.ok(saved.endsWith('\n... API keys in these lines are masked\n'));
  });

  it('leads to its first error and to the first line of a node', async () => {
    const error = await findEntry(feed, ({ row }) => row.level === 'error', signal);
    assert.deepEqual([error?.entry.row.message, error?.line], ['row 1000', 1009]);
    const second = await findEntry(feed, ({ row }) => row.nodeId === 'n2', signal);
    assert.equal(second?.entry.row.message, 'row 10001');
  });

  it('says which lines are gone', async () => {
    const archived = world.archive.logs.values().next().value;
    assert.ok(archived);
    archived.goneLines = 3030;
    logs.views.set(target, { place: { kind: 'from', line: 0 }, filter: wholeFilter });
    const { text, window } = await render();
    assert.ok(text.startsWith('... the first 3,030 lines are no longer kept on this machine\n'));
    assert.equal(window.from, 3030);
  });

  it('is written with a mark where its beginning is gone, which is not counted', async () => {
    const archived = world.archive.logs.values().next().value;
    assert.ok(archived);
    archived.goneLines = 2020;
    let text = '';
    let written = 0;
    for await (const piece of writeLog(feed, (_lines, writtenLines) => (written = writtenLines), signal))
      text += piece;
    const [first = '', ...lines] = text.trimEnd().split('\n');
    const gone = total - written;
    assert.equal(gone, 2020);
    assert.equal(first, `... the first ${gone.toLocaleString()} lines are no longer kept on this machine`);
    assert.equal(lines.length, written);
    assert.match(
      describeMissing(feed),
      new RegExp(`^The first ${gone.toLocaleString()} lines are no longer`),
    );
  });

  it('of an execution that goes on is read as far as it is there before it is followed', async () => {
    const live = { ...target, executionId: 'live' };
    world.first.executions = [makeExecution('live', { status: statusOf('running') })];
    world.first.logs.set('live', [makeNodeLog(1), makeNodeLog(2)]);
    const log = await loadLog(world, live, signal);
    assert.equal(log.feed.count, 2);
    assert.ok(world.following.isFollowing(live));
    assert.equal(describeMissing(log.feed), 'Still running; more lines may follow.');
    log.dispose();
    world.following.dispose();
  });

  it('of an execution that has ended is loaded by following where it is more than is read in one go', async () => {
    const ended = { ...target, executionId: 'ended' };
    world.first.executions = [makeExecution('ended', { status: statusOf('completed') })];
    world.first.logs.set('ended', [makeNodeLog(1), makeNodeLog(2), makeNodeLog(3)]);
    world.first.readAtOnce = 2;
    const loading = loadLog(world, ended, signal);
    await world.clock.advance(0);
    const [channel] = world.first.channels;
    assert.equal(channel?.after, 2);
    channel.send({ kind: 'logs', logs: [makeNodeLog(3)] });
    channel.send({ kind: 'end', status: statusOf('completed') });
    const log = await loading;
    assert.equal(log.feed.count, 3);
    log.dispose();
  });
});
