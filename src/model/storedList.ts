import * as v from 'valibot';

/** Returns the items of a stored list that fit the schema, and leaves out damaged ones. */
export function decodeStoredList<T>(stored: unknown, schema: v.GenericSchema<unknown, T>): readonly T[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item) => {
    const decoded = v.safeParse(schema, item);
    return decoded.success ? [decoded.output] : [];
  });
}
