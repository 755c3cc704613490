import { BoundedMap } from '../../../base/boundedMap.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../base/json.ts';
import { idMembers } from '../../../definition/definitionNode.ts';
import type { DefinitionFormat } from '../../../domain/definitionFormat.ts';
import type { Clock } from '../../../base/time.ts';
import type { Execution } from '../../../domain/execution.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../../domain/targets.ts';
import type { Workflow } from '../../../domain/workflow.ts';

/** The nodes of a definition by their ids. */
export type RanNodes = ReadonlyMap<string, JsonObject>;

export interface RanDefinitionsDeps {
  /** Reads a workflow with its definition. Rejects with a ServiceError. */
  readonly read: (target: WorkflowTarget, signal: AbortSignal) => Promise<Workflow>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Asked {
  /** null: it isn't known, or it's being read. */
  readonly nodes: RanNodes | null;
  /** In epoch milliseconds, as it was known then: a new execution has this machine's own time until its record is read. */
  readonly createdAt: number;
}

const maximumExecutions = 50;
/** How long a workflow isn't read again after that has failed, in milliseconds. */
const pauseMs = 60_000;
/** Services may tell whole seconds only. */
const shortestMs = 1000;

/**
 * The nodes that executions ran. A service doesn't tell which definition an execution ran, only which one is deployed and since when. So
 * it's known if the definition that is deployed now was deployed before the execution was accepted; it's kept when another one is deployed.
 */
export class RanDefinitions {
  readonly #deps: RanDefinitionsDeps;
  readonly #asked = new BoundedMap<string, Asked>(maximumExecutions);
  /** When a workflow whose read has failed may be read again, in epoch milliseconds. */
  readonly #againAt = new Map<string, number>();

  constructor(deps: RanDefinitionsDeps) {
    this.#deps = deps;
  }

  find(target: ExecutionTarget): RanNodes | undefined {
    return this.#asked.get(executionName(target))?.nodes ?? undefined;
  }

  /** Takes the definition that a draft execution runs, which the service doesn't tell. */
  note(target: ExecutionTarget, definition: JsonObject): void {
    const nodes = nodesOf(definition, 'service') ?? null;
    this.#asked.set(executionName(target), { nodes, createdAt: this.#deps.clock.now() });
  }

  /**
   * Reads the workflow once for each execution; after a failure also another time, but not at once. Returns whether the nodes became known.
   * Rejects with a ServiceError.
   */
  async learn(
    workflow: WorkflowTarget,
    { id, createdAt }: Pick<Execution, 'id' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (createdAt === null) return false;
    const name = executionName({ connectionId: workflow.connectionId, executionId: id });
    const asked: Asked = { nodes: null, createdAt: createdAt.getTime() };
    const known = this.#asked.get(name);
    const { clock, read } = this.#deps;
    const againAt = this.#againAt.get(targetName(workflow)) ?? -Infinity;
    if (known?.nodes || known?.createdAt === asked.createdAt || clock.now() < againAt) return false;
    this.#asked.set(name, asked);
    try {
      const nodes = findRanNodes(await read(workflow, signal), { createdAt });
      if (nodes !== undefined) this.#asked.set(name, { ...asked, nodes });
      return nodes !== undefined;
    } catch (error) {
      this.#asked.delete(name);
      this.#againAt.set(targetName(workflow), clock.now() + pauseMs);
      throw error;
    }
  }
}

/** True if the workflow was deployed after the execution was accepted, so that another definition may have run. */
export function isDeployedSince(
  { deployedAt }: Pick<Workflow, 'deployedAt'>,
  { createdAt }: Pick<Execution, 'createdAt'>,
): boolean {
  return (
    deployedAt !== null && createdAt !== null && deployedAt.getTime() - createdAt.getTime() >= shortestMs
  );
}

/** Returns undefined when another definition may have been deployed since, or the nodes have another shape. */
export function findRanNodes(
  { deployedAt, deployedDefinition }: Pick<Workflow, 'deployedAt' | 'deployedDefinition'>,
  { createdAt }: Pick<Execution, 'createdAt'>,
): RanNodes | undefined {
  if (deployedAt === null || createdAt === null || deployedAt > createdAt) return undefined;
  return nodesOf(deployedDefinition ?? {}, 'service');
}

/** Returns undefined when they have another shape. */
export function nodesOf({ nodes }: JsonObject, format: DefinitionFormat): RanNodes | undefined {
  if (!isJsonArray(nodes)) return undefined;
  return new Map(
    nodes.flatMap((node) => {
      const id = isJsonObject(node) ? node[idMembers[format]] : undefined;
      return isJsonObject(node) && typeof id === 'string' ? [[id, node] as const] : [];
    }),
  );
}
