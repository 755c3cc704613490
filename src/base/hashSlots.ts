/** The slots of a hash table with open addressing: hashes as whole numbers, 0 for none. Their number is a power of two, not all of them used. */
export type HashSlots = Float64Array;

export const emptySlot = 0;
export const firstSlots = 1024;

/** Returns the index of the slot with this hash, or of the empty one where it belongs. */
export function findSlot(slots: HashSlots, hash: number): number {
  const mask = slots.length - 1;
  let slot = hash % slots.length;
  while (slots[slot] !== emptySlot && slots[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/** True if another hash needs a larger table. */
export function isCrowded(slots: HashSlots, size: number): boolean {
  return size * 4 >= slots.length * 3;
}
