import type { Workflow } from '../../domain/workflow.ts';

/** The workflow with this id, or else those with this name, of which there may be several. */
export function findByIdOrName<W extends Pick<Workflow, 'id' | 'name'>>(
  workflows: readonly W[],
  wanted: string,
): readonly W[] {
  const byId = workflows.filter(({ id }) => id === wanted);
  return byId.length > 0 ? byId : workflows.filter(({ name }) => name === wanted);
}
