// Reads the values that an expression names as far as they were cut, before it's evaluated on request.
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { Executions } from '../../../model/executions/executions.ts';
import { cutValue } from '../../../protocol/cutValue.ts';
import type { RecordedData } from './recordedData.ts';
import type { Sight } from './recordedRuns.ts';

/** What an expression is evaluated with. */
interface Known {
  readonly sight: Sight;
  readonly data: RecordedData;
}

/** Values that the service doesn't offer whole stay cut. Rejects with a ServiceError, or with the signal's reason. */
export async function readNamedValues(
  executions: Pick<Executions, 'readInput' | 'readWholeValues'>,
  target: ExecutionTarget,
  expression: string,
  { sight, data }: Known,
  signal: AbortSignal,
): Promise<Known> {
  const outputs = new Map(sight.outputs);
  for (const [nodeId, run] of sight.outputs)
    if (cutValue(run.output) !== undefined && expression.includes(nodeId))
      outputs.set(nodeId, await executions.readWholeValues(target, run, signal));
  const isInputWhole = data.input !== undefined && cutValue(data.input) === undefined;
  if (isInputWhole || !expression.includes('input')) return { sight: { ...sight, outputs }, data };
  const { input } = await executions.readInput(target, signal);
  return { sight: { ...sight, outputs }, data: { ...data, input: input ?? data.input } };
}
