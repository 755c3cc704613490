import { foldText } from '../../domain/findText.ts';
import type { WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** The filter of the Workflows view. It's sent to the service and applied here as well, since some services ignore it. */
export interface WorkflowFilter {
  /** Part of the name or the description; empty for all. */
  readonly text: string;
  readonly state: 'all' | 'deployed' | 'notDeployed';
}

export const noFilter: WorkflowFilter = { text: '', state: 'all' };

export function isFiltered(filter: WorkflowFilter): boolean {
  return filter.text !== '' || filter.state !== 'all';
}

/** Returns the filter as a query to the service. */
export function toQuery(filter: WorkflowFilter): WorkflowQuery {
  const search = filter.text.trim();
  return {
    ...(search === '' ? {} : { search }),
    ...(filter.state === 'all' ? {} : { deployed: filter.state === 'deployed' }),
  };
}

/** True when the workflow passes the filter. A workflow whose state isn't known passes for either state. */
export function passesFilter(workflow: Workflow, filter: WorkflowFilter): boolean {
  const text = foldText(filter.text.trim());
  if (
    text !== '' &&
    !foldText(workflow.name).includes(text) &&
    !foldText(workflow.description ?? '').includes(text)
  )
    return false;
  return (
    filter.state === 'all' ||
    workflow.isDeployed === null ||
    workflow.isDeployed === (filter.state === 'deployed')
  );
}
