// A log of any size as a document: the window that is shown, what leads out of it, and what is done with all of it.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { LogTexts } from '../../../src/features/executions/log/logTexts.ts';
import { describeWindow, renderLogLenses } from '../../../src/features/executions/log/logLenses.ts';
import { placeOf, wholeFilter } from '../../../src/features/executions/log/logView.ts';
import {
  describeMissing,
  findLine,
  searchLog,
  withLog,
  writeLog,
} from '../../../src/features/executions/log/logReading.ts';
import { LogWindows } from '../../../src/features/executions/log/logWindow.ts';
import { renderLog } from '../../../src/features/executions/log/renderLog.ts';
import { LogTable } from '../../../src/model/log/logTable.ts';
import { LogFeed } from '../../../src/model/log/logFeed.ts';
import { createRowStore } from '../../support/memory/logs.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
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
    for await (const matches of searchLog(feed, text, signal))
      found.push(...matches.map(({ position }) => position));
    return found;
  };
  const rest = ['First Error', 'Search…', 'Filter…', 'Save Whole Log…'];

  it('is shown from its end', async () => {
    const { text, window, positions } = await render();
    const lines = text.trimEnd().split('\n');
    assert.deepEqual([window.from, window.to], [20_000, count]);
    assert.equal(lines[0], '... 20,000 earlier log lines');
    assert.equal(lines.at(-1), '[error] Second: row 23000');
    assert.deepEqual(positions.slice(0, 2), [-1, 20_000]);
    assert.equal(lines.length, 1 + 3000 + 30);
    for (const [at, line] of lines.entries())
      if (line === '    more') assert.equal(positions[at], positions[at - 1]);
    assert.deepEqual(await lensesOf(), [['Log lines 20,001–23,000 of 23,000', 'Earlier Lines', ...rest], []]);
  });

  it('is read up to where it was when the reading began, however fast it grows', async () => {
    let next = count;
    const grow = (rows: number) => {
      feed.append(Array.from({ length: rows }, () => rowAt((next += 1))));
    };
    const rendering = render();
    grow(300);
    const { window } = await rendering;
    assert.deepEqual([window.to, window.rowCount, window.hasLater], [count, count, false]);
    let read = 0;
    for await (const matches of searchLog(feed, 'row', signal)) {
      grow(2 * matches.length);
      read += matches.length;
    }
    assert.equal(read, count + 300);
  });

  it('shows an earlier window, and says what comes after', async () => {
    logs.views.set(target, { place: { kind: 'before', position: 11_000 }, filter: wholeFilter });
    const { text, sections } = await render();
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 2022);
    assert.equal(lines[0], '... 9,000 earlier log lines');
    assert.equal(lines.at(-1), '... 12,000 later log lines');
    assert.deepEqual(
      sections.map(({ run }) => run.nodeName),
      ['First', 'Second'],
    );
    const later = ['Later Lines', 'Latest Lines'];
    assert.deepEqual(await lensesOf(), [
      ['Log lines 9,001–11,000 of 23,000', 'Earlier Lines', 'Later Lines', ...rest],
      later,
    ]);
  });

  it('shows the rows of a level and above, and those of a node, as more come', async () => {
    const filter = { level: 'warn', nodeId: 'n2', text: null } as const;
    logs.views.set(target, { place: { kind: 'end' }, filter });
    const { window } = await render();
    assert.equal(window.shownRows, 26);
    assert.equal(
      describeWindow(window, feed.nodeRuns),
      '26 of 23,000 log lines: Warnings and errors · Second',
    );
    feed.append(Array.from({ length: 1000 }, (_, at) => rowAt(count + at + 1)));
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
    const [position = 0] = found;
    logs.views.set(target, { place: placeOf(position, feed.count), filter: wholeFilter });
    const { text, positions } = await render();
    assert.equal(text.split('\n')[positions.indexOf(position)], '[info] First: row 99');
  });

  it('is written whole, a piece at a time', async () => {
    let text = '';
    const reported: (readonly [rows: number, lines: number])[] = [];
    const onRead = (...counts: [rows: number, lines: number]) => reported.push(counts);
    for await (const piece of writeLog(feed, onRead, signal)) text += piece;
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, count + count / 100);
    assert.equal(lines.filter((line) => line.includes(': row ')).length, count);
    assert.deepEqual(reported.at(-1), [count, lines.length]);
  });

  it('is written and shown without its keys, and says so', async () => {
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
    assert.equal(lines.length, count + count / 100 + 4);
    const said = '... API keys in these lines are masked\n';
    const { text: shown } = await render();
    assert.ok(shown.includes(said) && !shown.includes(key));
    logs.views.set(target, { place: { kind: 'from', position: 0 }, filter: wholeFilter });
    assert.ok(!(await render()).text.includes(said));
  });

  it('leads to its first error and to the first line of a node', async () => {
    const error = await findLine(feed, { level: 'error' }, signal);
    assert.deepEqual([error?.text, error?.position], ['[error] First: row 1000', 999]);
    const second = await findLine(feed, { nodeId: 'n2' }, signal);
    assert.equal(second?.text, '[info] Second: row 10001');
  });

  it('says which lines are gone, shown and written', async () => {
    const store = createRowStore({ maximumBytes: 2 * 1024 * 1024 });
    const small = new LogFeed(new LogTable(store));
    for (let from = 0; from < count; from += 1000)
      small.append(Array.from({ length: 1000 }, (_, at) => rowAt(from + at + 1)));
    const { goneRows } = small;
    assert.ok(goneRows >= 5000);
    const gone = `... the first ${goneRows.toLocaleString()} log lines are no longer kept on this machine`;
    const view = { place: { kind: 'from', position: 0 }, filter: wholeFilter } as const;
    const { window, lines } = await new LogWindows().read(small, view, signal);
    const execution = makeExecution('e', { status: statusOf('running') });
    const { text: shown } = renderLog({ execution, window, lines, runOf: (line) => small.nodeRunOf(line) });
    assert.ok(shown.startsWith(`${gone}\n`));
    assert.equal(window.from, goneRows);
    let text = '';
    let written = 0;
    for await (const piece of writeLog(small, (_lines, writtenLines) => (written = writtenLines), signal))
      text += piece;
    const [first = '', ...saved] = text.trimEnd().split('\n');
    assert.deepEqual([first, saved.length], [gone, written]);
    assert.match(describeMissing(small, undefined), /^The first [\d,]+ log lines are no longer/);
    store.dispose();
  });

  it('of an execution that goes on is read as far as it is there before it is followed', async () => {
    const live = { ...target, executionId: 'live' };
    world.first.executions = [makeExecution('live', { status: statusOf('running') })];
    world.first.logs.set('live', [makeNodeLog(1), makeNodeLog(2)]);
    await withLog(world, live, signal, (log) => {
      assert.equal(log.count, 2);
      assert.ok(world.following.isFollowing(live));
      const missing = describeMissing(log, world.executions.find(live));
      assert.equal(missing, 'Still running; more lines may follow.');
      return Promise.resolve();
    });
    world.following.dispose();
  });

  it('is said to go on only where it may', () => {
    const [running, completed] = [{ status: statusOf('running') }, { status: statusOf('completed') }];
    feed.noteReading({ kind: 'begun' });
    assert.match(describeMissing(feed, running), /^Still running/);
    assert.match(describeMissing(feed, completed), /^Only part/);
    assert.match(describeMissing(feed, undefined), /^More lines may follow if/);
    feed.noteReading({ kind: 'failed', error: new ServiceError({ kind: 'notFound' }, '') });
    assert.match(describeMissing(feed, running), /^Only part/);
    feed.noteReading({ kind: 'whole' });
    assert.equal(describeMissing(feed, undefined), '');
  });

  it('of an execution that has ended is loaded by following where it is more than is read in one go', async () => {
    const ended = { ...target, executionId: 'ended' };
    world.first.executions = [makeExecution('ended', { status: statusOf('completed') })];
    world.first.logs.set('ended', [makeNodeLog(1), makeNodeLog(2), makeNodeLog(3)]);
    world.first.readAtOnce = 2;
    const counting = withLog(world, ended, signal, ({ count }) => Promise.resolve(count));
    await world.clock.advance(0);
    const [channel] = world.first.channels;
    assert.equal(channel?.after, 2);
    channel.send({ kind: 'logs', logs: [makeNodeLog(3)] });
    channel.send({ kind: 'end', status: statusOf('completed') });
    assert.equal(await counting, 3);
  });
});
