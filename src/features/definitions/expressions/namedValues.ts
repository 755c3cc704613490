// Reads the values that an expression names as far as they were cut, before it's evaluated on request.
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { Executions } from '../../../model/executions/executions.ts';
import { cutValue } from '../../../protocol/cutValue.ts';
import type { RecordedData } from './recordedData.ts';
import { type Sight, sightOf } from './recordedRuns.ts';

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
  known: Known,
  signal: AbortSignal,
): Promise<Known> {
  const { sight, data } = await readNamedByItems(executions, target, expression, known, signal);
  const outputs = new Map(sight.outputs);
  for (const [nodeId, run] of sight.outputs)
    if (cutValue(run.output) !== undefined && expression.includes(nodeId))
      outputs.set(nodeId, await executions.readWholeValues(target, run, signal));
  const isInputWhole = data.input !== undefined && cutValue(data.input) === undefined;
  if (isInputWhole || !expression.includes('input')) return { sight: { ...sight, outputs }, data };
  const { input } = await executions.readInput(target, signal);
  return { sight: { ...sight, outputs }, data: { ...data, input: input ?? data.input } };
}

/** An item of a loop is made again with the loop's own expression, which names values too. */
async function readNamedByItems(
  executions: Pick<Executions, 'readInput' | 'readWholeValues'>,
  target: ExecutionTarget,
  expression: string,
  { sight, data }: Known,
  signal: AbortSignal,
): Promise<Known> {
  const loop = sight.turn?.loop;
  const items = loop && data.itemsOf(loop.run.nodeId);
  if (loop === undefined || items === undefined || !expression.includes('item')) return { sight, data };
  const known = await readNamedValues(executions, target, items, { sight: sightOf(loop), data }, signal);
  return { sight: { ...sight, ofItems: known.sight }, data: known.data };
}
