import { BoundedMap } from '../../base/boundedMap.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Execution } from '../../domain/execution.ts';
import { executionName, type ExecutionTarget, type WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** The nodes of a definition by their ids. */
export type RanNodes = ReadonlyMap<string, JsonObject>;

export interface RanDefinitionsDeps {
  /** Reads a workflow with its definition. Rejects with a ServiceError. */
  readonly read: (target: WorkflowTarget, signal: AbortSignal) => Promise<Workflow>;
}

const maximumExecutions = 50;

/**
 * The nodes that executions ran. A service doesn't tell which definition an execution ran, only which one is deployed and since when. So
 * it's known if the definition that is deployed now was deployed before the execution was accepted; it's kept when another one is deployed.
 */
export class RanDefinitions {
  readonly #deps: RanDefinitionsDeps;
  /** null: it isn't known, or it's being read. */
  readonly #nodes = new BoundedMap<string, RanNodes | null>(maximumExecutions);

  constructor(deps: RanDefinitionsDeps) {
    this.#deps = deps;
  }

  find(target: ExecutionTarget): RanNodes | undefined {
    return this.#nodes.get(executionName(target)) ?? undefined;
  }

  /** Reads the workflow once for each execution. Returns whether the nodes became known. Rejects with a ServiceError. */
  async learn(
    workflow: WorkflowTarget,
    { id, createdAt }: Pick<Execution, 'id' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const name = executionName({ connectionId: workflow.connectionId, executionId: id });
    if (this.#nodes.get(name) !== undefined || createdAt === null) return false;
    this.#nodes.set(name, null);
    const nodes = findRanNodes(await this.#deps.read(workflow, signal), { createdAt });
    if (nodes === undefined) return false;
    this.#nodes.set(name, nodes);
    return true;
  }
}

/** Returns undefined when another definition may have been deployed since, or the nodes have another shape. */
export function findRanNodes(
  { deployedAt, deployedDefinition }: Pick<Workflow, 'deployedAt' | 'deployedDefinition'>,
  { createdAt }: Pick<Execution, 'createdAt'>,
): RanNodes | undefined {
  const nodes = deployedDefinition?.['nodes'];
  if (deployedAt === null || createdAt === null || deployedAt > createdAt || !isJsonArray(nodes))
    return undefined;
  return new Map(
    nodes.flatMap((node) => {
      const id = isJsonObject(node) ? node['id'] : undefined;
      return isJsonObject(node) && typeof id === 'string' ? [[id, node] as const] : [];
    }),
  );
}
