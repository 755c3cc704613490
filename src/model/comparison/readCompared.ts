import { ifOffered } from '../../domain/errors.ts';
import { emptyExecution, type Output } from '../../domain/execution.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { Executions } from '../executions/executions.ts';
import type { Following } from '../executions/following.ts';
import type { ComparedFacts } from './compareExecutions.ts';

export interface ComparedReads {
  readonly executions: Pick<Executions, 'find' | 'logs' | 'output' | 'read' | 'readInput'>;
  readonly following: Pick<Following, 'readLog'>;
}

/** Reads what isn't known yet. What the service doesn't report besides the output is left out. lent: the output, if it was read before. Rejects with a ServiceError. */
export async function readCompared(
  { executions, following }: ComparedReads,
  target: ExecutionTarget,
  lent: Output | undefined,
  signal: AbortSignal,
): Promise<ComparedFacts> {
  const known = executions.find(target);
  const read = known?.status.isTerminal === true ? known : await ifOffered(executions.read(target, signal));
  const execution = read ?? known ?? emptyExecution(target.executionId);
  const feed = executions.logs(target);
  const hasLogs = feed.reading.kind === 'whole' && !feed.isTruncated;
  const [withInput, output, logs] = await Promise.all([
    execution.input === undefined ? ifOffered(executions.readInput(target, signal)) : execution,
    lent ?? executions.output(target, signal),
    hasLogs ? feed : ifOffered(following.readLog(target, signal)),
  ]);
  const { nodeRuns = [], goneRuns = 0 } = logs ?? {};
  return { execution, input: withInput?.input ?? null, output, nodeRuns, goneRuns };
}
