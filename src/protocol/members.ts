import * as v from 'valibot';

/** An object whose members have any name: a record of valibot silently drops some, such as `constructor` and `__proto__`. */
export function members<T>(
  schema: v.GenericSchema<unknown, T>,
  message?: string,
): v.GenericSchema<unknown, Readonly<Record<string, T>>> {
  return v.pipe(
    v.custom<object>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      message,
    ),
    v.rawTransform(({ dataset: { value: input }, addIssue, NEVER }) => {
      const found: (readonly [string, T])[] = [];
      for (const [key, value] of Object.entries(input) as readonly (readonly [string, unknown])[]) {
        const result = v.safeParse(schema, value);
        if (!result.success) {
          const [{ message, path = [] }] = result.issues;
          const member = { type: 'object', origin: 'value', input: { ...input }, key, value } as const;
          addIssue({ message, path: [member, ...path] });
          return NEVER;
        }
        found.push([key, result.output]);
      }
      return Object.fromEntries(found);
    }),
  );
}
