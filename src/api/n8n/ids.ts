// The order of n8n's ids: it counts executions up.

const counted = /^\d+$/;

/** Orders ids as n8n counts them, by all their digits; what is no number comes first. */
export function compareIds(one: string, other: string): number {
  const [isCounted, isOtherCounted] = [counted.test(one), counted.test(other)];
  if (!isCounted || !isOtherCounted) return Number(isCounted) - Number(isOtherCounted);
  return one.length - other.length || Number(one > other) - Number(one < other);
}
