// What an expression reads before it's evaluated on request: the values that it names, as far as they were truncated.
import * as l10n from '@vscode/l10n';
import { secretsRead } from '../../definition/expressionPlaces.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { Executions } from '../../model/executions/executions.ts';
import { scopeOf, type ScopeSnapshot, seenOutput } from './scopeSnapshot.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';
import type { RecordedData } from './recordedData.ts';

/** Why an expression can't be evaluated on the records, in words; undefined for one that can. */
export function whyUnknown(expression: string): string | undefined {
  if (secretsRead(expression).length === 0) return undefined;
  return l10n.t(
    "An expression that reads a secret can't be evaluated here: only the service knows its value.",
  );
}

/** What an expression is evaluated with. */
interface Known {
  readonly scope: ScopeSnapshot;
  readonly data: RecordedData;
}

/** Values that the service doesn't offer whole stay truncated. Rejects with a ServiceError, or with the signal's reason. */
export async function readNamedValues(
  executions: Pick<Executions, 'readInput' | 'readWholeValues'>,
  target: ExecutionTarget,
  expression: string,
  known: Known,
  signal: AbortSignal,
): Promise<Known> {
  const { scope, data } = await readNamedByItems(executions, target, expression, known, signal);
  const outputs = new Map(scope.outputs);
  for (const [nodeId, run] of scope.outputs)
    if (seenOutput(run) === undefined && expression.includes(nodeId))
      outputs.set(nodeId, await executions.readWholeValues(target, run, signal));
  const isInputWhole = data.input !== undefined && truncatedValue(data.input) === undefined;
  if (isInputWhole || !expression.includes('input')) return { scope: { ...scope, outputs }, data };
  const { input } = await executions.readInput(target, signal);
  return { scope: { ...scope, outputs }, data: { ...data, input: input ?? data.input } };
}

/** An item of a loop is made again with the loop's own expression, which names values too. */
async function readNamedByItems(
  executions: Pick<Executions, 'readInput' | 'readWholeValues'>,
  target: ExecutionTarget,
  expression: string,
  { scope, data }: Known,
  signal: AbortSignal,
): Promise<Known> {
  const loop = scope.iteration?.owner;
  const items = loop?.kind === 'run' ? data.itemsOf(loop.run.nodeId) : undefined;
  if (loop?.kind !== 'run' || items === undefined || !expression.includes('item')) return { scope, data };
  const known = await readNamedValues(executions, target, items, { scope: scopeOf(loop), data }, signal);
  return { scope: { ...scope, ofItems: known.scope }, data: known.data };
}
