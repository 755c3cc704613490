// Reads the argument of a command by its schema, and says what the schema expects.
import * as v from 'valibot';

type Members = Readonly<Record<string, v.GenericSchema>>;
type ArgumentSchema = v.GenericSchema & { readonly entries?: Members; readonly options?: unknown };

export function f(schema: ArgumentSchema): Members {
  return schema.entries ?? {};
}
