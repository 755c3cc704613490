// What arguments and results of several commands consist of.
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { hidden, optional } from '../argument.ts';

export const text = v.pipe(v.string(), v.nonEmpty());
export const nothing = v.object({});
export const jsonObject = v.custom<JsonObject>(isJsonObject);
/** How many rows of a list code wants. */
export const limit = optional(v.pipe(v.number(), v.integer(), v.minValue(1)));

/** The connection that a command is about. Empty: the active one, whose id takes its place when the argument is decoded. */
export const connectionId = hidden(v.nullish(v.string(), ''));
export const workflow = { workflowId: text, connectionId };
export const execution = { executionId: text, connectionId };

/** The result of the commands that execute a workflow. */
export interface ExecuteResult {
  readonly workflowId: string;
  readonly eventIds: readonly string[];
  readonly status: string;
  /** Missing when the service doesn't return it at once. */
  readonly executionId?: string;
}
