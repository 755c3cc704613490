import type { JsonObject } from '../../base/json.ts';
import type { WorkflowJson, WorkflowSummaryJson } from '../../protocol/records.ts';

/** The bounds of a page; `before` is the position at which the previous page ended. */
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
  /** A part of the name; case-insensitive. */
  readonly search?: string | undefined;
  readonly deployed?: boolean | undefined;
}

/** Stores the draft that edits change and the deployed definition that executions use. Each change publishes its portal event. */
export interface WorkflowStore {
  /** Newest first. */
  list(query: WorkflowQuery): Promise<StorePage<WorkflowSummaryJson>>;
  get(id: string): Promise<WorkflowJson | undefined>;
  create(workflow: NewWorkflow): Promise<WorkflowJson>;
  /** `expected` is the updatedAt or the version number that the caller has read. updatedAt increases with each update. */
  update(
    id: string,
    changes: WorkflowChanges,
    expected?: string | number,
  ): Promise<WorkflowJson | 'missing' | 'conflict'>;
  /** Returns false when there's no such workflow. Its executions stay. */
  delete(id: string): Promise<boolean>;
  /** Deploys the draft; "conflict" when its updatedAt has changed. */
  deploy(id: string, updatedAt: string): Promise<WorkflowJson | 'missing' | 'conflict'>;
  undeploy(id: string): Promise<WorkflowJson | undefined>;
  /** Returns the deployed definition; undefined when there's no such workflow, null when it isn't deployed. */
  getDeployed(id: string): Promise<WorkflowDefinition | null | undefined>;
}
