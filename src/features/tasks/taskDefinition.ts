// What a task executes, as it's written in tasks.json.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const Definition = v.looseObject({
  /** Its id or name. */
  workflow: text,
  /** Its name or id. Default: the active one. */
  connection: v.optional(text),
  /** Text: JSON, since the editor replaces variables in texts only. Default: an empty object. */
  input: v.optional(v.union([v.string(), v.custom<JsonObject>(isJsonObject)])),
  /** The path of a preset in the task's folder, or its name. */
  preset: v.optional(text),
  /** Whether the task lasts until the execution has ended. */
  wait: v.optional(v.boolean(), true),
});
export type TaskDefinition = v.InferOutput<typeof Definition>;

/** Throws a PlainError for what somebody wrote differently. */
export function decodeTask(definition: unknown): TaskDefinition {
  const { success, output, issues } = v.safeParse(Definition, definition);
  if (!success) {
    const names = new Set(issues.map(({ path }) => plainLine(String(path?.[0]?.key), 80)));
    throw new PlainError(vscode.l10n.t('The task has invalid values: {0}.', [...names].join(', ')));
  }
  if (output.input !== undefined && output.preset !== undefined)
    throw new PlainError(vscode.l10n.t('The task has both "input" and "preset". Remove one of them.'));
  return output;
}
