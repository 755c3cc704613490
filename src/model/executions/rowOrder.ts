import type { NodeLog } from '../../domain/nodeLog.ts';

export function bySequence(left: NodeLog, right: NodeLog): number {
  return (left.sequence ?? 0) - (right.sequence ?? 0);
}

/** Sorted by sequence if every row has one; otherwise in the order of arrival. */
export function inOrder(rows: readonly NodeLog[]): readonly NodeLog[] {
  return rows.some(({ sequence }) => sequence === null) ? rows : rows.toSorted(bySequence);
}

export function isSameRow(one: NodeLog, other: NodeLog): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
