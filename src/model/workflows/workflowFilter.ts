// Why: what the workflows view is narrowed to, asked of the service and held to here, for services that ignore it.

export interface WorkflowFilter {
  /** Part of the name; empty for all. */
  readonly text: string;
  readonly state: 'all' | 'deployed' | 'notDeployed';
}

export const noFilter: WorkflowFilter = Object.freeze({ text: '', state: 'all' });
