// Which portal events are shown, by type and by workflow, asked of the service and held to here; pure.
import type { PortalEventQuery } from '../../domain/queries.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

/** null: any. */
export interface EventFilter {
  readonly type: string | null;
  readonly workflowId: string | null;
}

export const noEventFilter: EventFilter = { type: null, workflowId: null };

export function isFiltering({ type, workflowId }: EventFilter): boolean {
  return type !== null || workflowId !== null;
}

/** The filter as the service is asked for it. */
export function toEventQuery({ type, workflowId }: EventFilter): PortalEventQuery {
  return { ...(type === null ? {} : { type }), ...(workflowId === null ? {} : { workflowId }) };
}

export function passes(filter: EventFilter, event: PortalEvent): boolean {
  return (
    (filter.type === null || filter.type === event.type) &&
    (filter.workflowId === null || filter.workflowId === event.workflowId)
  );
}
