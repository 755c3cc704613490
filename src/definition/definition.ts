// A definition is free-form on the wire; its nodes and edges are parsed into these shapes.
import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { isNodeType, type NodeType } from './nodeTypes.ts';

/** The parts of a workflow that executions use. */
export interface WorkflowDefinition {
  readonly nodes: readonly JsonObject[];
  readonly edges: readonly JsonObject[];
  readonly settings: JsonObject;
}

export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly type: NodeType;
  readonly config: JsonObject;
  /** Default: one attempt. */
  readonly retry: { readonly maximumAttempts: number; readonly initialDelayMs: number };
}

export interface WorkflowEdge {
  readonly source: string;
  readonly target: string;
  /** The branch that the edge belongs to: of a condition or a for-each, or the error branch; null for an edge without one. */
  readonly branch: string | null;
}

/** The branches of a for-each: `each` leads into its body, `done` continues after the last item. */
export const loopBranches = { each: 'each', done: 'done' } as const;

/** The branch of an edge that's taken when its node fails after the last attempt; none of the node's other edges is taken then. */
export const errorBranch = 'error';

const NodeSchema = v.object({
  id: v.string(),
  name: v.optional(v.string()),
  type: v.custom<NodeType>((type) => typeof type === 'string' && isNodeType(type)),
  config: v.optional(v.custom<JsonObject>(isJsonObject), {}),
  retry: v.optional(
    v.object({ maximumAttempts: v.optional(v.number(), 1), initialDelayMs: v.optional(v.number(), 1000) }),
    {},
  ),
});

const EdgesSchema = v.array(
  v.pipe(
    v.object({
      source: v.string(),
      target: v.string(),
      branch: v.nullish(v.union([v.string(), v.boolean()]), null),
    }),
    v.transform(({ source, target, branch }): WorkflowEdge => {
      return { source, target, branch: branch === null ? null : String(branch) };
    }),
  ),
);

/** Parses the nodes of a definition that matches the JSON Schema; throws if it doesn't. */
export function readNodes(definition: WorkflowDefinition): WorkflowNode[] {
  return definition.nodes.map((raw) => {
    const node = v.parse(NodeSchema, raw);
    return { ...node, name: node.name ?? node.id };
  });
}

/** The same for edges. */
export function readEdges({ edges }: Pick<WorkflowDefinition, 'edges'>): WorkflowEdge[] {
  return v.parse(EdgesSchema, edges);
}

/** Returns undefined if it isn't a list of edges. */
export function findEdges(value: JsonValue): WorkflowEdge[] | undefined {
  const edges = v.safeParse(EdgesSchema, value);
  return edges.success ? edges.output : undefined;
}
