// What of a workflow's document n8n takes.
import * as v from 'valibot';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';

const object = v.custom<JsonObject>(isJsonObject);
const Document = v.object({
  // n8n says what is wrong with it.
  name: v.optional(v.pipe(v.string(), v.trim()), ''),
  nodes: v.array(object),
  connections: object,
  settings: v.optional(object, {}),
});

interface Content extends JsonObject {
  readonly name: string;
  readonly nodes: readonly JsonObject[];
  readonly connections: JsonObject;
  readonly settings: JsonObject;
}

/** Returns the four members that n8n wants of a document. Throws "otherFormat" for what is no document of n8n; nothing is sent then. */
export function contentOf(document: JsonObject): Content {
  const decoded = v.safeParse(Document, document);
  if (decoded.success) return decoded.output;
  throw new ServiceError({ kind: 'otherFormat', expected: 'n8n' }, "This isn't a workflow of n8n.");
}

/** What a version of n8n may take beside them; what is left out stays as it is. */
export const optionalMembers: readonly string[] = ['pinData', 'nodeGroups', 'staticData'];

/** Returns what a new workflow is made of. What is null isn't there: n8n takes nothing for it. */
export function toCreated(document: JsonObject): JsonObject {
  const content = contentOf(document);
  const settings = Object.entries(content.settings).filter(([, value]) => value !== null);
  const optional = optionalMembers.flatMap((name) => {
    const value = document[name] ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  return { ...content, settings: Object.fromEntries(settings), ...Object.fromEntries(optional) };
}

/** What version 1 sets to its default where it's left out. */
const keptWhereSent = ['availableInMCP', 'callerPolicy'];

/** Returns what has to be sent so that `before` gets the changes: n8n merges settings, and keeps what is left out. */
export function toReplacement(before: JsonObject, changes: JsonObject): JsonObject {
  const content = contentOf({ ...before, ...changes });
  const had = contentOf(before).settings;
  const settings = Object.entries(content.settings).filter(
    ([name, value]) => keptWhereSent.includes(name) || !isSame(had[name], value),
  );
  const optional = [...optionalMembers, 'description'].flatMap((name) => {
    const value = changes[name];
    const isChanged = value !== undefined && !isSame(before[name], value);
    return isChanged ? [[name, name === 'description' ? (value ?? '') : value] as const] : [];
  });
  return { ...content, settings: Object.fromEntries(settings), ...Object.fromEntries(optional) };
}

function isSame(before: JsonValue | undefined, now: JsonValue): boolean {
  return equalJson(before ?? null, now);
}

export const webhookType = 'n8n-nodes-base.webhook';
