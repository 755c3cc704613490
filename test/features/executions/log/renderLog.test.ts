import assert from 'node:assert/strict';
import { type RenderedLog, renderLog } from '../../../../src/features/executions/log/renderLog.ts';
import { type LogView, wholeFilter } from '../../../../src/features/executions/log/logView.ts';
import { LogWindows } from '../../../../src/features/executions/log/logWindow.ts';
import { createFeed } from '../../../support/memory/logs.ts';
import type { Execution } from '../../../../src/domain/execution.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';

function row(nodeId: string, state: RunState, change: Partial<NodeLog> = {}): NodeLog {
  return makeNodeLog(change.sequence ?? 1, { nodeId, status: statusOf(state), ...change });
}
const { signal } = new AbortController();
const view: LogView = { place: { kind: 'end' }, filter: wholeFilter };

async function render(rows: readonly NodeLog[], change: Partial<Execution> = {}): Promise<RenderedLog> {
  const feed = createFeed();
  feed.append(rows);
  const read = await new LogWindows().read(feed, view, signal);
  return renderLog({ execution: makeExecution('e', change), ...read, runOf: (line) => feed.nodeRunOf(line) });
}

const reason = (message: string) => ({ code: null, message, nodeId: null });

describe('the log of an execution', () => {
  const time = new Date(2026, 0, 5, 9, 8, 7, 6);
  const rows = [
    row('a', 'running', { sequence: 1, timestamp: time, message: 'one\ntwo' }),
    row('a', 'running', { sequence: 2, message: 'three' }),
    row('b', 'running', { sequence: 3 }),
    row('a', 'completed', { sequence: 4 }),
  ];

  it('has a line for each row, and sections by node run, also where runs take turns', async () => {
    const { text, sections } = await render(rows);
    assert.equal(text.split('\n')[0], '2026-01-05 09:08:07.006 [info] Node 1: one');
    assert.equal(text.split('\n')[1], '    two');
    assert.ok(text.endsWith('row 3\n[info] Node 1: row 4\n'));
    assert.deepEqual(
      sections.map(({ run, firstLine, lastLine }) => [run.nodeId, firstLine, lastLine]),
      [
        ['a', 0, 2],
        ['b', 3, 3],
        ['a', 4, 4],
      ],
    );
  });

  it('is one line for a node run of a moment, and tells what still runs', async () => {
    const shown = [
      row('a', 'running', { sequence: 1, message: 'node started', level: 'debug' }),
      row('a', 'completed', { sequence: 2, message: 'node completed', durationMs: 8 }),
      row('b', 'running', { sequence: 3, message: 'node started', nodeName: 'B' }),
    ];
    const { text, sections } = await render(shown);
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(lines, ['[info] Node 1: completed in 8 ms', '[info] B: started']);
    assert.deepEqual(
      sections.map(({ firstLine, lastLine, link }) => [
        firstLine,
        lastLine,
        lines[firstLine]?.slice(...link),
      ]),
      [
        [0, 0, 'Node 1'],
        [1, 1, 'B'],
      ],
    );
  });

  it('ends with how the execution ended, and says where nothing was logged', async () => {
    const textOf = async (change: Partial<Execution>, shown: readonly NodeLog[]) =>
      (await render(shown, change)).text;
    const ended = {
      status: statusOf('failed'),
      completedAt: time,
      durationMs: 2400,
      error: reason('no mail'),
    };
    const end = '2026-01-05 09:08:07.006 [error] failed in 2.4 s: no mail\n';
    assert.ok((await textOf(ended, rows)).endsWith(`\n${end}`));
    assert.equal(await textOf(ended, []), `This execution has no log.\n${end}`);
    assert.equal(await textOf({}, []), 'No log lines yet.\n');
  });
});
