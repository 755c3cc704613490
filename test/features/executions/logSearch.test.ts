// The lines with a text in a log of any length: going from one to the next, and showing only them.
import assert from 'node:assert/strict';
import {
  findMatch,
  type SearchDirection,
  searchLog,
} from '../../../src/features/executions/log/logReading.ts';
import type { LogFeed } from '../../../src/model/log/logFeed.ts';
import { describeWindow } from '../../../src/features/executions/log/logLenses.ts';
import { LogTexts } from '../../../src/features/executions/log/logTexts.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const { signal } = new AbortController();

describe('the search of a long log', () => {
  let feed: LogFeed;
  let logs: LogTexts;
  let target: { connectionId: string; executionId: string };

  /** One line in a thousand is an error. */
  const rowAt = (number: number) =>
    makeNodeLog(number, { message: `row ${number}`, level: number % 1000 === 0 ? 'error' : 'info' });

  before(async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, executionId: 'e' };
    logs = new LogTexts(world);
    ({ feed } = world.executions.keepLogs(target));
    feed.append(Array.from({ length: 23_000 }, (_, at) => rowAt(at + 1)));
  });

  const matchesOf = async (text: string) => {
    const found: number[] = [];
    for await (const matches of searchLog(feed, text, signal))
      found.push(...matches.map(({ position }) => position));
    return found;
  };
  const find = async (text: string, position: number, direction: SearchDirection) =>
    (await findMatch(feed, { text, position, direction }, signal))?.position;

  it('goes on from a line in both directions, and from the other end once no match is left', async () => {
    const all = await matchesOf('ROW 99');
    const at = (index: number): number => all.at(index) ?? assert.fail();
    assert.equal(all.length, 1 + 10 + 100);
    assert.equal(await find('ROW 99', -1, 'next'), at(0));
    assert.equal(await find('ROW 99', at(4), 'next'), at(5));
    assert.equal(await find('ROW 99', at(4), 'previous'), at(3));
    assert.equal(await find('ROW 99', at(4) + 0.5, 'previous'), at(4));
    assert.equal(await find('ROW 99', at(0), 'previous'), at(-1));
    assert.equal(await find('ROW 99', at(-1), 'next'), at(0));
  });

  it('finds letters in any case of any language', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const { feed: other } = world.executions.keepLogs({ connectionId, executionId: 'greek' });
    other.append([makeNodeLog(1, { message: 'İSTANBUL\nΟΔΟΣ' })]);
    for (const [text, line] of [
      ['istanbul', 0],
      ['οδοσ', 1],
    ] as const)
      assert.equal((await findMatch(other, { text, position: -1, direction: 'next' }, signal))?.line, line);
  });

  it('comes back to the only match, and finds nothing where there is none', async () => {
    const [only = -1] = await matchesOf('row 22999');
    for (const direction of ['next', 'previous'] as const)
      for (const line of [-1, only - 1, only, only + 1])
        assert.equal(await find('row 22999', line, direction), only, `${direction} of ${line}`);
    assert.equal(await find('nowhere', 0, 'next'), undefined);
  });

  it('shows only the rows with a text, whatever its case, together with a level', async () => {
    const filter = { level: 'error', nodeId: null, text: 'ROW 23' } as const;
    logs.views.set(target, { place: { kind: 'end' }, filter });
    const render = () => logs.render(target, makeExecution('e', { status: statusOf('running') }), signal);
    const { text, window } = await render();
    assert.ok(
      text
        .trimEnd()
        .split('\n')
        .every((line) => /^\[error\] .*row 23/.test(line)),
      text,
    );
    assert.match(describeWindow(window, feed.nodeRuns), / log lines: Errors · "ROW 23"$/);
    logs.views.set(target, { place: { kind: 'end' }, filter: { ...filter, level: null } });
    assert.ok((await render()).window.shownRows > window.shownRows);
    assert.ok(window.shownRows > 0);
  });
});
