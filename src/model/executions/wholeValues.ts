// A node run whose input or output the list of rows cut: the values are read from the rows that hold them.
import { isServiceError } from '../../domain/serviceError.ts';
import { cutValue } from '../../protocol/cutValue.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** Asks for one row. */
type ReadLog = (logId: string) => Promise<NodeLog>;

/** The run with its values whole; what the service does not give one by one stays cut. */
export async function withWholeValues(run: NodeRun, readLog: ReadLog): Promise<NodeRun> {
  const [input, output] = [await wholeValue(run, 'input', readLog), await wholeValue(run, 'output', readLog)];
  return { ...run, input, output };
}

async function wholeValue(
  run: NodeRun,
  side: 'input' | 'output',
  readLog: ReadLog,
): Promise<NodeRun['input']> {
  const value = run[side];
  const holder = run.logs.findLast((log) => log[side] === value);
  if (cutValue(value) === undefined || holder === undefined) return value;
  try {
    return (await readLog(holder.key))[side];
  } catch (error) {
    if (isServiceError(error, 'notOffered') || isServiceError(error, 'notFound')) return value;
    throw error;
  }
}
