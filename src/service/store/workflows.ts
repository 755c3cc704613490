import type { JsonObject } from '../../base/json.ts';
import type { WorkflowJson, WorkflowSummaryJson } from '../../protocol/records.ts';

/** Where a page begins and how long it is; `before` is the position the previous page ended at. */
export interface PageQuery {
  readonly limit: number;
  readonly before?: number | undefined;
}

/** A page of a list; nextPosition is null on the last one. */
export interface StorePage<T> {
  readonly items: readonly T[];
  readonly nextPosition: number | null;
}

export interface WorkflowDefinition {
  readonly nodes: readonly JsonObject[];
  readonly edges: readonly JsonObject[];
  readonly settings: JsonObject;
}

export interface NewWorkflow extends WorkflowDefinition {
  readonly name: string;
  readonly description: string | null;
}

export type WorkflowChanges = { readonly [K in keyof NewWorkflow]?: NewWorkflow[K] | undefined };

export interface WorkflowQuery extends PageQuery {
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  readonly deployed?: boolean | undefined;
}

/** Workflows: the draft that edits change, and the deployed definition that executions take. Each change publishes its portal event. */
export interface WorkflowStore {
  /** Newest first. */
  list(query: WorkflowQuery): Promise<StorePage<WorkflowSummaryJson>>;
  get(id: string): Promise<WorkflowJson | undefined>;
  create(workflow: NewWorkflow): Promise<WorkflowJson>;
  /** `expected` is the updatedAt, or the version number, that the caller has read. updatedAt grows with every update. */
  update(
    id: string,
    changes: WorkflowChanges,
    expected?: string | number,
  ): Promise<WorkflowJson | 'missing' | 'conflict'>;
  /** False when there is none. Executions stay. */
  delete(id: string): Promise<boolean>;
  /** Makes the draft what executions take; "conflict" when the draft is no longer the one of `updatedAt`. */
  deploy(id: string, updatedAt: string): Promise<WorkflowJson | 'missing' | 'conflict'>;
  undeploy(id: string): Promise<WorkflowJson | undefined>;
  /** The deployed definition; undefined without such a workflow, null when it is not deployed. */
  getDeployed(id: string): Promise<WorkflowDefinition | null | undefined>;
}
