// Why: the executions that were read, as lists per workflow and as single records, with their log feeds and node runs.
import type { ExecutionReading, Status, TriggerReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ServiceError } from '../../base/serviceError.ts';
import type { Clients } from '../clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../ports.ts';
import type { ExecutionScope, ExecutionTarget, WorkflowTarget } from '../targets.ts';
import type { LogFeed } from './logFeed.ts';

export interface ExecutionList {
  /** "idle": never asked; the view asks. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'failed';
  /** Newest first; unchanged readings keep their identity. */
  readonly items: readonly ExecutionReading[];
  readonly nextCursor: string | null;
  readonly error: ServiceError | null;
}

/** "list": a list's rows, status or error changed. "rows": only these executions look different. "nodeRuns": those below one execution. */
export type ExecutionChange =
  | { readonly kind: 'list'; readonly scope: ExecutionScope }
  | { readonly kind: 'rows'; readonly connectionId: string; readonly executionIds: readonly string[] }
  | { readonly kind: 'nodeRuns'; readonly target: ExecutionTarget };

/** Holds whatever connection was asked; a switch mixes nothing, and what belongs to a removed connection is forgotten. */
export interface Executions extends Disposable {
  readonly onDidChange: Event<ExecutionChange>;
  list(scope: ExecutionScope): ExecutionList;
  /** Reads again as much as was loaded, at least 10. Failures become state; rejects only when cancelled. */
  refresh(scope: ExecutionScope, signal?: AbortSignal): Promise<void>;
  loadMore(scope: ExecutionScope, signal?: AbortSignal): Promise<void>;
  find(target: ExecutionTarget): ExecutionReading | undefined;
  /** Reads one record and shows it. Rejects with a ServiceError. */
  read(target: ExecutionTarget, signal?: AbortSignal): Promise<ExecutionReading>;
  /** Takes a record over; a final state is never taken back by a late answer. */
  upsert(connectionId: string, execution: ExecutionReading): void;
  /** Shows a new execution before the service lists it. */
  showTriggered(target: WorkflowTarget, trigger: TriggerReading): void;
  /** Takes over what a follower learned of the state, before the record is read. */
  setStatus(target: ExecutionTarget, status: Status): void;
  /** The rows of one execution, empty until they are read or followed. */
  logs(target: ExecutionTarget): LogFeed;
  /** Reads the rows that are missing. Rejects with a ServiceError. */
  readLogs(target: ExecutionTarget, signal?: AbortSignal): Promise<LogFeed>;
}

export declare function createExecutions(
  connections: Connections,
  clients: Clients,
  clock: Clock,
): Executions;
