// What an expression of a definition could see when it was evaluated, found from the records alone.
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { IterationItem, RunItem, Scope } from '../../model/runs/runItems.ts';
import type { JsonValue } from '../../base/json.ts';
import { readExchange } from '../../domain/httpExchange.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';

export interface ScopeSnapshot {
  /** The runs whose outputs can be seen, by node id. What is around the loops comes first, as the service lists them. */
  readonly outputs: ReadonlyMap<string, NodeRun>;
  /** The innermost one; null outside of loops. */
  readonly iteration: IterationItem | null;
  /** What the expression for the items of that loop could see, if it isn't what the records say. */
  readonly ofItems?: ScopeSnapshot;
  /** The run whose expressions see this, or the loop at the end of whose iteration they do. */
  readonly of: NodeRun | undefined;
}

/** A run that failed can be seen by what comes after its error branch. */
function isSeen({ status }: NodeRun): boolean {
  return status?.state === 'completed' || status?.state === 'failed';
}

/** What the expressions of a run could see: what had ended by then in its iteration and around it. */
export function scopeOf({ scope, position, run }: RunItem): ScopeSnapshot {
  return { outputs: collectOutputs(scope, position), iteration: scope.iteration, of: run };
}

/** What an expression at the end of an iteration, or of the execution, can see. A loop's result is one. */
export function scopeAtEnd(scope: Scope): ScopeSnapshot {
  const owner = scope.iteration?.owner;
  const of = owner?.kind === 'run' ? owner.run : undefined;
  return { outputs: collectOutputs(scope, Infinity), iteration: scope.iteration, of };
}

/** `end`: what began before it can be seen. A loop has no output yet for its own body. */
function collectOutputs({ iteration, latest }: Scope, end: number): Map<string, NodeRun> {
  const owner = iteration?.owner;
  const outputs =
    owner === undefined
      ? new Map<string, NodeRun>()
      : collectOutputs(owner.scope, owner.kind === 'run' ? owner.position : Infinity);
  for (const [nodeId, { run, position }] of latest)
    if (position < end && isSeen(run)) outputs.set(nodeId, run);
  return outputs;
}

/** The output, or what stands for it where the run failed (contract section 10); undefined if it isn't known as a whole. */
export function seenOutput(run: NodeRun): JsonValue | undefined {
  if (run.status?.state === 'failed') return seenError(run);
  return truncatedValue(run.output) === undefined ? run.output : undefined;
}

function seenError({ error, exchange }: NodeRun): JsonValue | undefined {
  if (typeof error?.code !== 'string') return undefined;
  const { code, message } = error;
  if (code !== 'http_status') return { error: { code, message } };
  const response = readExchange(exchange)?.response;
  if (response === undefined || truncatedValue(response.body) !== undefined) return undefined;
  return { error: { code, message, status: response.status, response } };
}
