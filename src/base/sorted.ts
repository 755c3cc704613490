/** Returns how many items at the beginning of a sorted list come before something. Looks at few of them. */
export function countBefore<T extends object | number>(
  items: readonly T[],
  isBefore: (item: T) => boolean,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
