import type { ServicePort } from '../../api/servicePort.ts';
import type { Execution } from '../../domain/execution.ts';
import type { CallOptions, ExecutionQuery, Page } from '../../domain/queries.ts';

/** Asks for a kind of executions only where the service has several. */
export function listExecutions(
  { executions, capabilities }: Pick<ServicePort, 'executions' | 'capabilities'>,
  query: ExecutionQuery,
  options: CallOptions,
): Promise<Page<Execution>> {
  const { kind, ...others } = query;
  const isAsked = kind !== undefined && capabilities.current.has('draft');
  return executions.list(isAsked ? query : others, options);
}
