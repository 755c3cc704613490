// Where executions of a workflow begin, read from its document.
import * as v from 'valibot';
import type { JsonObject } from '../../base/json.ts';
import type { HttpMethod } from '../../protocol/operations.ts';
import { webhookType } from './documents.ts';

/** A Webhook node that listens. */
export interface Webhook {
  readonly nodeName: string;
  /** May hold slashes. */
  readonly path: string;
  readonly method: HttpMethod;
}

const Method = v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[]);
const Node = v.object({
  name: v.string(),
  type: v.string(),
  disabled: v.fallback(v.boolean(), false),
  parameters: v.fallback(
    v.object({
      path: v.fallback(v.string(), ''),
      httpMethod: v.fallback(v.union([Method, v.pipe(v.array(Method), v.minLength(1))]), 'GET'),
    }),
    { path: '', httpMethod: 'GET' },
  ),
});
const Nodes = v.object({ nodes: v.array(v.unknown()) });

/** False for one that would lead out of n8n's webhooks. */
function isPath(path: string): boolean {
  return path !== '' && !path.split('/').some((segment) => segment === '.' || segment === '..');
}

function enabledNodes(document: JsonObject) {
  const decoded = v.safeParse(Nodes, document);
  return (decoded.success ? decoded.output.nodes : []).flatMap((each) => {
    const node = v.safeParse(Node, each);
    return node.success && !node.output.disabled ? [node.output] : [];
  });
}

/** The first Webhook node; undefined without one. A node that takes several methods is called with the first. */
export function findWebhook(document: JsonObject): Webhook | undefined {
  const node = enabledNodes(document).find(
    ({ type, parameters }) => type === webhookType && isPath(parameters.path),
  );
  if (node === undefined) return undefined;
  const { path, httpMethod } = node.parameters;
  const method = typeof httpMethod === 'string' ? httpMethod : (httpMethod[0] ?? 'GET');
  return { nodeName: node.name, path: path.replace(/^\/+/, ''), method };
}

/** The name of the first node that starts executions by itself, such as on a schedule. */
export function findTrigger(document: JsonObject): string | undefined {
  return enabledNodes(document).find(({ type }) => /trigger$/i.test(type))?.name;
}
