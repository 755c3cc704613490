// The limits of one execution, so that no definition fills the disk or runs without end.
import type { NodeOutcome } from '../store/nodeRuns.ts';
import { NodeError } from '../errors.ts';

export interface ExecutionLimits {
  /** Of all loops together. */
  readonly iterations: number;
  /** Of stored values and log rows together. */
  readonly bytes: number;
}

export type ExecutionLimit = keyof ExecutionLimits;

export const executionLimits: readonly ExecutionLimit[] = ['iterations', 'bytes'];

export const mebibyte = 1024 * 1024;

export const defaultLimits: ExecutionLimits = { iterations: 100_000, bytes: 1024 * mebibyte };

const codes: Readonly<Record<ExecutionLimit, string>> = {
  iterations: 'too_many_iterations',
  bytes: 'too_many_bytes',
};

/** Returns the limit that the node has met; such a node isn't retried. */
export function limitMet(outcome: NodeOutcome): ExecutionLimit | undefined {
  if (outcome.status === 'completed') return undefined;
  const { code } = outcome.error;
  return executionLimits.find((limit) => codes[limit] === code);
}

/** Throws a NodeError when a loop with this many more iterations exceeds the limit. */
export function checkIterations({ iterations: limit }: ExecutionLimits, before: number, more: number): void {
  if (before + more <= limit) return;
  throw new NodeError(
    codes.iterations,
    `With this loop, the loops of this execution would have ${formatCount(before + more)} iterations. ${limitIs(formatCount(limit))} Spread the items over several executions, or start the service with a higher --max-iterations.`,
  );
}

/** Throws a NodeError when the execution has stored so many bytes that no node may start. */
export function checkBytes({ bytes: limit }: ExecutionLimits, stored: number): void {
  if (stored < limit) return;
  throw new NodeError(
    codes.bytes,
    `This node didn't run, as the execution has already stored ${mebibytes(stored)} of values and log lines. ${limitIs(mebibytes(limit))} Spread the work over several executions, or start the service with a higher --max-mebibytes.`,
  );
}

function limitIs(limit: string): string {
  return `The limit for one execution is ${limit}.`;
}

function mebibytes(bytes: number): string {
  return `${formatCount(Math.floor(bytes / mebibyte))} MiB`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
