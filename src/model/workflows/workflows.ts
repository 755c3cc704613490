// Why: the workflows of the active connection as they are shown; the only place that knows which page was read and what changed.
import type { WorkflowReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Observable } from '../../base/observable.ts';
import type { ServiceError } from '../../base/serviceError.ts';
import type { Clients } from '../clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { WorkflowTarget } from '../targets.ts';
import type { WorkflowFilter } from './workflowFilter.ts';

export interface WorkflowsState {
  readonly connectionId: string | null;
  /** "idle": never asked for this connection and filter; the view asks. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'failed';
  /** A list was read for this connection, be it empty. */
  readonly hasData: boolean;
  /** In the service's order, filtered; unchanged readings keep their identity. */
  readonly items: readonly WorkflowReading[];
  readonly nextCursor: string | null;
  readonly filter: WorkflowFilter;
  /** Of the last refresh; null after a good one. */
  readonly error: ServiceError | null;
}

/** "list": rows came, went or moved. "rows": only these rows look different. */
export type WorkflowChange =
  { readonly kind: 'list' } | { readonly kind: 'rows'; readonly workflowIds: readonly string[] };

export interface Workflows extends Disposable {
  /** Announces every replacement of the state, also of status and error. */
  readonly state: Observable<WorkflowsState>;
  /** What a tree has to draw again. */
  readonly onDidChangeItems: Event<WorkflowChange>;
  /** Reads again as much as was loaded. Failures become state; rejects only when cancelled. Does nothing without a connection. */
  refresh(signal?: AbortSignal): Promise<void>;
  loadMore(signal?: AbortSignal): Promise<void>;
  /** Narrows the list and reads it. */
  setFilter(filter: WorkflowFilter, signal?: AbortSignal): Promise<void>;
  /** The last reading of a workflow of this connection, shown or filtered away. */
  find(target: WorkflowTarget): WorkflowReading | undefined;
  /** Reads one with its definition. Rejects with a ServiceError. */
  read(target: WorkflowTarget, signal?: AbortSignal): Promise<WorkflowReading>;
  /** Takes over a record that a call answered; one of another connection than the shown one is dropped. */
  upsert(connectionId: string, workflow: WorkflowReading): void;
  /** Takes a deleted workflow away. */
  drop(target: WorkflowTarget): void;
}

export declare function createWorkflows(connections: Connections, clients: Clients): Workflows;
