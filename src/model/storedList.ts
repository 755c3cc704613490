// Lists that other versions and windows write too: an item that can't be read costs that item only.
import * as v from 'valibot';

/** The items of a stored list that are as they should be, in their order. */
export function decodeStoredList<T>(stored: unknown, schema: v.GenericSchema<unknown, T>): readonly T[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item) => {
    const decoded = v.safeParse(schema, item);
    return decoded.success ? [decoded.output] : [];
  });
}
