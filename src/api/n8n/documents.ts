// What of a workflow's document n8n takes.
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
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

/** Returns the four members that n8n takes of a document. Throws "otherFormat" for what is no document of n8n; nothing is sent then. */
export function contentOf(document: JsonObject): Content {
  const decoded = v.safeParse(Document, document);
  if (decoded.success) return decoded.output;
  throw new ServiceError({ kind: 'otherFormat', expected: 'n8n' }, "This isn't a workflow of n8n.");
}

export const webhookType = 'n8n-nodes-base.webhook';

/** Gives each webhook a path and an id of its own, so that a copy can be deployed beside its original. */
export function withNewWebhooks(content: Content): Content {
  return { ...content, nodes: content.nodes.map(withNewWebhook) };
}

function withNewWebhook(node: JsonObject): JsonObject {
  const { type, webhookId, parameters } = node;
  if (type !== webhookType && webhookId === undefined) return node;
  const id = crypto.randomUUID();
  const hasPath =
    isJsonObject(parameters) && (type === webhookType || typeof parameters['path'] === 'string');
  return { ...node, webhookId: id, ...(hasPath ? { parameters: { ...parameters, path: id } } : {}) };
}
