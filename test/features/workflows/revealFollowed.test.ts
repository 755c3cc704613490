// Which row a followed execution brings into sight: what failed, else what runs, else the last.
import assert from 'node:assert/strict';
import type { RunState } from '../../../src/domain/status.ts';
import { rowToShow } from '../../../src/features/workflows/revealFollowed.ts';
import { createFeed } from '../../support/memory/logs.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

type Run = readonly [name: string, iteration: readonly number[], state: RunState];

function shown(runs: readonly Run[], hasFailed = false): string {
  const feed = createFeed();
  feed.append(
    runs.map(([name, iteration, state], at) =>
      makeNodeLog(at + 1, {
        nodeId: name,
        nodeName: name,
        nodeType: name === 'Each' ? 'forEach' : 'log',
        iteration,
        status: statusOf(state),
      }),
    ),
  );
  const item = rowToShow(feed.runTree, hasFailed);
  return item?.kind === 'run' ? item.run.nodeName : (item?.kind ?? 'nothing');
}

describe('the row that a followed execution brings into sight', () => {
  const loop: readonly Run[] = [
    ['Start', [], 'completed'],
    ['Each', [], 'running'],
    ['A', [0], 'completed'],
  ];
  for (const [title, runs, hasFailed, row] of [
    ['is none before the first', [], false, 'nothing'],
    [
      'is the last one at the end',
      [
        ['Start', [], 'completed'],
        ['End', [], 'completed'],
      ],
      false,
      'End',
    ],
    [
      'is the one that runs',
      [
        ['Start', [], 'completed'],
        ['Wait', [], 'waiting'],
      ],
      false,
      'Wait',
    ],
    ['is the loop, folded, while its turns run', [...loop, ['A', [1], 'running']], false, 'Each'],
    [
      'is the node that failed in a turn, and not its loop',
      [
        ['Start', [], 'completed'],
        ['Each', [], 'failed'],
        ['A', [0], 'completed'],
        ['A', [1], 'failed'],
      ],
      true,
      'A',
    ],
    [
      'is no node whose failure was survived',
      [
        ['A', [], 'failed'],
        ['B', [], 'running'],
      ],
      false,
      'B',
    ],
  ] as const)
    it(title, () => assert.equal(shown(runs, hasFailed), row));
});
