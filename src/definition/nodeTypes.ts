// The node types of the local service: what each evaluates, where its edges lead, and what it gives. A new type is a row here, a
// behaviour in service/engine/nodes, its config in media/workflow-definition.schema.json and a section in media/node-types.md.
import type { JsonObject } from '../base/json.ts';

interface NodeTypeTraits {
  /** Members of the config that are a JSONata expression as a whole. */
  readonly expressions?: readonly string[];
  /** Members whose texts are templates, also inside lists and objects. */
  readonly templates?: readonly string[];
  /** Whether the texts of all other members are templates too. */
  readonly fillsAll?: boolean;
  /** What the branches of its edges are; without it, they have none. */
  readonly branches?: 'ofLoop' | 'ofResult';
  /** Members whose templates can read secrets. */
  readonly secrets?: readonly string[];
  /** Whether an edge can have the error branch. */
  readonly hasErrorBranch?: boolean;
  /** Whether its output is the result of its expression. */
  readonly givesResult?: boolean;
  /** The JSON Schema of its output, where it's the same for each node. */
  readonly output?: JsonObject;
}

const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const traits = {
  trigger: {},
  transform: { expressions: ['expression'], hasErrorBranch: true, givesResult: true },
  condition: {
    expressions: ['expression'],
    branches: 'ofResult',
    hasErrorBranch: true,
    givesResult: true,
    output: { type: ['boolean', 'string'] },
  },
  forEach: {
    expressions: ['items', 'result'],
    branches: 'ofLoop',
    hasErrorBranch: true,
    output: { type: 'array' },
  },
  httpRequest: {
    templates: ['url', 'query', 'headers', 'body'],
    secrets: ['url', 'query', 'headers', 'body'],
    fillsAll: true,
    hasErrorBranch: true,
    output: object({ status: integer, headers: { type: 'object' }, body: {} }),
  },
  delay: {
    templates: ['milliseconds'],
    fillsAll: true,
    hasErrorBranch: true,
    output: object({ waitedMs: integer }),
  },
  log: { templates: ['message'], hasErrorBranch: true, output: text },
  portalEvent: {
    templates: ['data'],
    hasErrorBranch: true,
    output: object({ eventId: text, type: text }),
  },
  fail: { templates: ['message'] },
  output: { expressions: ['expression'], givesResult: true },
} as const satisfies Readonly<Record<string, NodeTypeTraits>>;

export type NodeType = keyof typeof traits;

/** By name, in the order in which they're offered. */
const byName: ReadonlyMap<string, NodeTypeTraits> = new Map(Object.entries(traits));

export const nodeTypes: readonly string[] = [...byName.keys()];

export function isNodeType(type: string): type is NodeType {
  return Object.hasOwn(traits, type);
}

export type ForEachType = {
  [Type in NodeType]: (typeof traits)[Type] extends { readonly branches: 'ofLoop' } ? Type : never;
}[NodeType];

/** Whether nodes of this type run a body once for each item. */
export function isForEach(type: string | null | undefined): type is ForEachType {
  return byName.get(type ?? '')?.branches === 'ofLoop';
}

/** undefined for a type of another service. */
export function traitsOf(type: string): NodeTypeTraits | undefined {
  return byName.get(type);
}

/** How the service evaluates a member of a node's config; undefined if it takes the member as it is. */
export function evaluationKind(type: string, member: string): 'expression' | 'template' | undefined {
  const { expressions = [], templates = [], fillsAll = false } = byName.get(type) ?? {};
  if (expressions.includes(member)) return 'expression';
  return fillsAll || templates.includes(member) ? 'template' : undefined;
}

/** How a member is written, even if no service is known to evaluate it: so it's checked, and its names follow a renamed node. */
export function syntaxKind(
  type: string,
  member: string,
  isText: boolean,
): 'expression' | 'template' | undefined {
  if (type === 'trigger') return undefined;
  return expressionMembers.has(member) && isText ? 'expression' : 'template';
}

/** Whether the templates of a member of a node's config can read secrets. */
export function canReadSecrets(type: string, member: string): boolean {
  return byName.get(type)?.secrets?.includes(member) ?? false;
}

/** Members that are expressions in some type. What else a config has is checked as a template, also where its type doesn't fill it. */
export const expressionMembers: ReadonlySet<string> = new Set(
  [...byName.values()].flatMap(({ expressions = [] }) => expressions),
);
