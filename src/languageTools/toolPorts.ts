// What the tools need of the model, and of whoever offers them.
import type { Hide } from '../base/masking.ts';
import type { Clock } from '../base/time.ts';
import type { DefinitionChecker } from '../definition/checkText.ts';
import type { FieldPattern } from '../model/comparison/fieldPatterns.ts';
import type { Services } from '../model/connections/clients.ts';
import type { Connections } from '../model/connections/connections.ts';
import type { Executions } from '../model/executions/executions.ts';
import type { Following } from '../model/executions/following.ts';
import type { FailureReads } from '../model/failures/explainFailure.ts';
import type { ExecutionSearches } from '../model/search/executionSearches.ts';
import type { WorkflowActions } from '../model/workflows/workflowActions.ts';
import type { Workflows } from '../model/workflows/workflows.ts';

export interface ToolPorts extends FailureReads {
  readonly connections: Pick<Connections, 'get'>;
  readonly services: Pick<Services, 'learnOffers' | 'traits'>;
  readonly workflows: Pick<Workflows, 'listWhole' | 'read' | 'search'>;
  readonly executions: FailureReads['executions'] & Pick<Executions, 'keepLogs' | 'readWholeValues'>;
  readonly searches: Pick<ExecutionSearches, 'begin'>;
  readonly following: Pick<Following, 'follow' | 'readLog'>;
  readonly actions: Pick<
    WorkflowActions,
    'create' | 'deploy' | 'execute' | 'executeDraft' | 'findExecution' | 'retry' | 'update'
  >;
  readonly checker: DefinitionChecker;
  readonly clock: Clock;
  /** The fields that don't count as different. */
  readonly ignoredFields: () => readonly FieldPattern[];
  /** Masks keys and secrets. */
  readonly hide: Hide;
  /** An error in the words of whoever offers the tools. */
  readonly describe: (error: unknown) => string;
}

/** One call. */
export interface ToolCall {
  readonly ports: ToolPorts;
  /** The connection that it's about, whichever is active later. */
  readonly connectionId: string;
  readonly signal: AbortSignal;
  /** Says how far it is. `count`: grows. */
  readonly onProgress: (count: number, message: string) => void;
}

/** A call that a tool carries out. */
export interface RunningCall extends ToolCall {
  /** Masks all that a result doesn't show, as its texts are counted. */
  readonly hide: Hide;
}
