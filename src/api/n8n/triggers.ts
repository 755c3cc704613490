// Where executions of a workflow begin, read from its document.
import * as v from 'valibot';
import type { JsonObject } from '../../base/json.ts';
import type { StartTrigger } from '../../domain/triggers.ts';
import type { HttpMethod } from '../../protocol/operations.ts';
import { webhookType } from './documents.ts';

/** A Webhook node that listens. */
export interface Webhook {
  readonly kind: 'webhook';
  readonly nodeName: string;
  /** With the method where the node takes several. */
  readonly name: string;
  /** Of its node, which has one for each method. */
  readonly output: number;
  /** Below `/webhook/`; may hold slashes. */
  readonly path: string;
  readonly method: HttpMethod;
  /** The names of the segments of the path that each call fills in. */
  readonly parameters: readonly string[];
}

interface OtherTrigger {
  readonly kind: Exclude<StartTrigger['kind'], 'webhook'>;
  readonly nodeName: string;
  readonly name: string;
}

export type Trigger = Webhook | OtherTrigger;

const kinds: ReadonlyMap<string, StartTrigger['kind']> = new Map([
  [webhookType, 'webhook'],
  ['@n8n/n8n-nodes-langchain.chatTrigger', 'chat'],
  ['n8n-nodes-base.formTrigger', 'form'],
  ['n8n-nodes-base.scheduleTrigger', 'schedule'],
  ['n8n-nodes-base.manualTrigger', 'manual'],
]);

/** undefined for a node that begins nothing. */
export function kindOfTrigger(type: string): StartTrigger['kind'] | undefined {
  return kinds.get(type) ?? (/trigger$/i.test(type) ? 'other' : undefined);
}

const Method = v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[]);
const Node = v.object({
  name: v.string(),
  type: v.string(),
  disabled: v.fallback(v.boolean(), false),
  webhookId: v.fallback(v.string(), ''),
  parameters: v.fallback(
    v.object({
      path: v.fallback(v.string(), ''),
      httpMethod: v.fallback(v.union([Method, v.pipe(v.array(Method), v.minLength(1))]), 'GET'),
    }),
    { path: '', httpMethod: 'GET' },
  ),
});
type Node = v.InferOutput<typeof Node>;
const Nodes = v.object({ nodes: v.array(v.unknown()) });

/** The segments of a path that n8n takes anything for. */
export const parametersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .flatMap((segment) => (segment.startsWith(':') && segment.length > 1 ? [segment.slice(1)] : []));

/** False for one that would lead out of n8n's webhooks, and for one with half a character, which no address can have. */
function isPath(path: string): boolean {
  return (
    path !== '' &&
    path.isWellFormed() &&
    !path.split('/').some((segment) => segment === '.' || segment === '..')
  );
}

/** In the order of the document; a node that takes several methods is one for each. */
export function readTriggers(document: JsonObject): readonly Trigger[] {
  const decoded = v.safeParse(Nodes, document);
  return (decoded.success ? decoded.output.nodes : []).flatMap((each) => {
    const node = v.safeParse(Node, each);
    return node.success && !node.output.disabled ? toTrigger(node.output) : [];
  });
}

function toTrigger({ name: nodeName, type, webhookId, parameters }: Node): readonly Trigger[] {
  const kind = kindOfTrigger(type);
  if (kind === undefined) return [];
  if (kind !== 'webhook') return [{ kind, nodeName, name: nodeName }];
  const given = parameters.path.replace(/^\/+/, '');
  const ownParameters = parametersOf(given);
  // n8n puts the id of the node before a path with parameters.
  const path = ownParameters.length > 0 && webhookId !== '' ? `${webhookId}/${given}` : given;
  if (!isPath(path)) return [];
  const { httpMethod } = parameters;
  const methods = typeof httpMethod === 'string' ? [httpMethod] : httpMethod;
  return methods.map((method, output) => {
    const name = methods.length > 1 ? `${nodeName} (${method})` : nodeName;
    return { kind: 'webhook', nodeName, name, path, method, output, parameters: ownParameters };
  });
}

/** Whether a call starts executions of what is deployed there. Without a token of the MCP server, only webhooks can be called. */
export function isCallable({ kind }: Trigger, hasToken: boolean): boolean {
  return kind === 'webhook' || (hasToken && kind !== 'manual' && kind !== 'other');
}

/** By what it's chosen by, or else the first of a node. */
export function findTrigger(triggers: readonly Trigger[], name: string): Trigger | undefined {
  return triggers.find((each) => each.name === name) ?? triggers.find(({ nodeName }) => nodeName === name);
}

export function describeTrigger(trigger: Trigger): StartTrigger {
  const { kind, name } = trigger;
  return {
    kind,
    name,
    detail: trigger.kind === 'webhook' ? `${trigger.method} /webhook/${trigger.path}` : '',
  };
}
