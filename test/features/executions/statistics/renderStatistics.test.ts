import assert from 'node:assert/strict';
import { renderStatistics } from '../../../../src/features/executions/statistics/renderStatistics.ts';
import { assertGolden } from '../../../support/golden.ts';
import { makeExecution, statusOf } from '../../../support/memory/records.ts';

const executions = Array.from({ length: 40 }, (_, at) =>
  makeExecution(`exec_${String(at).padStart(6, '0')}`, {
    status: statusOf(at % 13 === 5 ? 'failed' : at === 7 ? 'cancelled' : 'completed'),
    durationMs: 900 + ((at * 7919) % 4000),
    startedAt: null,
    createdAt: null,
    error: at % 13 === 5 ? { code: 'timeout', message: 'Timed out\nafter 30 s', nodeId: 'n2' } : null,
  }),
);
const nodes = {
  read: 20,
  wanted: 20,
  error: null,
  nodes: [
    {
      nodeId: 'n1',
      nodeName: 'Read orders',
      runs: 20,
      failed: 0,
      durations: { median: 12, p95: 30, longest: 1300 },
      longest: { executionId: 'exec_000003', key: 'n1#1', durationMs: 1300 },
    },
    { nodeId: 'n2', nodeName: '送信 Send', runs: 1200, failed: 1200, durations: null, longest: null },
  ],
};

describe('the text with the statistics of a workflow', () => {
  const { text, links } = renderStatistics('Order totals', { executions, isAll: false }, nodes);

  it('says of how many it is, in columns', () => {
    assertGolden('execution/statistics', text);
  });

  it('leads from each execution to itself, and from the longest run of a node to that run', () => {
    const lines = text.split('\n');
    const shown = links.map(({ line, begin, end }) => lines[line]?.slice(begin, end));
    assert.deepEqual(
      shown.slice(0, -1),
      links.slice(0, -1).map(({ executionId }) => executionId.slice(-6)),
    );
    assert.equal(shown.at(-1), '1.3 s');
    assert.deepEqual(links.at(-1)?.nodeRunKey, 'n1#1');
    assert.equal(links.length, 9);
  });

  it('says of few among many neither that they are none, nor that the others are all', () => {
    const many = Array.from({ length: 200 }, (_, at) =>
      makeExecution(`exec_${at}`, { status: statusOf(at === 0 ? 'failed' : 'completed') }),
    );
    const rendered = (given: typeof many) =>
      renderStatistics('W', { executions: given, isAll: true }, { ...nodes, wanted: 0, nodes: [] }).text;
    assert.match(rendered(many), /Completed: +199 \(99%\)\n +Failed: +1 \(1%\)/);
    assert.match(rendered(many.slice(1)), /Completed: +199 \(100%\)/);
  });

  it('says while it reads, why it stopped, and that there is nothing', () => {
    const all = { executions, isAll: true };
    const reading = renderStatistics('W', all, { ...nodes, read: 3 }, 'The service is down.').text;
    assert.match(reading, /^W · 40 executions\n/);
    assert.match(reading, /\nNodes · read from 3 of the 20 newest executions…\n {2}The service is down\.\n/);
    const none = renderStatistics('W', { executions: [], isAll: true }, { ...nodes, wanted: 0, nodes: [] });
    assert.deepEqual(none, { text: 'W · 0 executions\n\nNot executed yet\n', links: [] });
  });
});
