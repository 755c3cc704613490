import * as v from 'valibot';

/** The items of a stored list that are as they should be: a damaged one costs no other. */
export function decodeStoredList<T>(stored: unknown, schema: v.GenericSchema<unknown, T>): readonly T[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item) => {
    const decoded = v.safeParse(schema, item);
    return decoded.success ? [decoded.output] : [];
  });
}
