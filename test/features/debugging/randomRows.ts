// Executions at random: nodes in order, loops in loops, attempts that failed, and branches that weren't taken.
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

export const randomNodeIds = ['a', 'b', 'each', 'c', 'inner', 'd', 'e'] as const;

/** In the order in which they are recorded. */
export function randomRows(random: () => number): readonly NodeLog[] {
  const rows: NodeLog[] = [];
  const add = (nodeId: string, iteration: readonly number[], change: Partial<NodeLog> = {}): void => {
    const sequence = rows.length + 1;
    rows.push(
      makeNodeLog(sequence, {
        nodeId,
        nodeName: nodeId,
        iteration,
        status: statusOf('completed'),
        startedAt: new Date(sequence * 1000),
        ...change,
      }),
    );
  };
  const node = (nodeId: string, iteration: readonly number[]): void => {
    if (random() < 0.15) {
      add(nodeId, iteration, { status: statusOf('skipped') });
      return;
    }
    const attempts = random() < 0.2 ? 3 : 1;
    for (let attempt = 1; attempt <= attempts; attempt += 1)
      add(nodeId, iteration, { attempt, status: statusOf(attempt < attempts ? 'failed' : 'completed') });
  };
  const loop = (nodeId: string, iteration: readonly number[], body: (inner: readonly number[]) => void) => {
    add(nodeId, iteration, { nodeType: 'forEach' });
    const count = Math.floor(random() * 5);
    for (let index = 0; index < count; index += 1) body([...iteration, index]);
  };
  node('a', []);
  node('b', []);
  loop('each', [], (outer) => {
    node('c', outer);
    if (random() < 0.6) loop('inner', outer, (inner) => node('d', inner));
  });
  node('e', []);
  return rows;
}
