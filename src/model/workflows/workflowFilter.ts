import type { WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** What the workflows view shows: asked of the service, and applied here as well, for services that ignore it. */
export interface WorkflowFilter {
  /** Part of the name; empty for all. */
  readonly text: string;
  readonly state: 'all' | 'deployed' | 'notDeployed';
}

export const noFilter: WorkflowFilter = { text: '', state: 'all' };

/** The filter as the service is asked for it. */
export function toQuery(filter: WorkflowFilter): WorkflowQuery {
  const search = filter.text.trim();
  return {
    ...(search === '' ? {} : { search }),
    ...(filter.state === 'all' ? {} : { deployed: filter.state === 'deployed' }),
  };
}

/** True when the filter lets the workflow through; one whose state the service does not tell passes either state. */
export function passesFilter(workflow: Workflow, filter: WorkflowFilter): boolean {
  const text = filter.text.trim().toLowerCase();
  if (
    text !== '' &&
    !workflow.name.toLowerCase().includes(text) &&
    workflow.description?.toLowerCase().includes(text) !== true
  )
    return false;
  return (
    filter.state === 'all' ||
    workflow.isDeployed === null ||
    workflow.isDeployed === (filter.state === 'deployed')
  );
}
