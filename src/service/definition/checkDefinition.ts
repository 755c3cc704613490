// A definition is deployed only when it can run; every fault is told with its place (contract section 3, operation 8).
import schema from '../../../media/workflow-definition.schema.json' with { type: 'json' };
import type { WorkflowDefinition } from '../store/store.ts';
import { readEdges, readNodes, type WorkflowEdge, type WorkflowNode } from './definition.ts';
import { checkExpressions } from './checkExpressions.ts';
import { checkGraph } from './checkGraph.ts';
import { type Faults, firstFaults } from './faults.ts';
import { schemaFaults } from './schemaFaults.ts';

/** What keeps a definition from being deployed; no faults when it can be. */
export function checkDefinition({ nodes, edges, settings }: WorkflowDefinition): Faults {
  const faults = schemaFaults(schema, '7', { nodes, edges, settings });
  if (faults.faults.length > 0) return faults;
  const readable: { nodes: WorkflowNode[]; edges: WorkflowEdge[] } = {
    nodes: readNodes({ nodes, edges, settings }),
    edges: readEdges({ nodes, edges, settings }),
  };
  return firstFaults([...checkGraph(readable.nodes, readable.edges), ...checkExpressions(readable.nodes)]);
}
