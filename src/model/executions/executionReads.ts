// What must be asked to show the executions in sight as they are, as few requests as possible: one list tells of many executions.
import { stringifyJson } from '../../base/json.ts';
import { isUnfinished } from '../../domain/status.ts';
import { executionName, type ExecutionScope, type ExecutionTarget } from '../../domain/targets.ts';
import type { Execution } from '../../domain/execution.ts';
import type { Executions } from './executions.ts';
import type { Following } from './following.ts';

/** What a view shows of one connection's executions. */
export interface ExecutionSight {
  readonly connectionId: string;
  /** Rows tell the latest execution of workflows. */
  readonly showsLatest: boolean;
  /** The lists in sight, which the view itself reads first. */
  readonly lists: readonly ExecutionScope[];
  /** The executions whose node runs are in sight. */
  readonly unfolded: readonly ExecutionTarget[];
}

export interface ReadDeps {
  readonly executions: Executions;
  readonly following: Following;
}

/** One request. `name` identifies what it reads. */
export interface Read {
  readonly name: string;
  /** null: more than one. */
  readonly executionId: string | null;
  readonly send: (signal: AbortSignal) => Promise<unknown>;
}

export function scopeName({ connectionId, workflowId, filter }: ExecutionScope): string {
  return stringifyJson(['list', connectionId, workflowId, filter ?? null]);
}

/** True if only the service can tell how it goes on. */
function isUnlisted({ following }: ReadDeps, connectionId: string, { id, status }: Execution): boolean {
  return isUnfinished(status.state) && !following.isFollowing({ connectionId, executionId: id });
}

/** True while a list that can be read has an execution that nobody follows to its end. */
export function hasUnlisted(deps: ReadDeps, scope: ExecutionScope): boolean {
  const { items, error } = deps.executions.list(scope);
  return error === null && items.some((execution) => isUnlisted(deps, scope.connectionId, execution));
}

/** True if a list was read, isn't being read, and is offered by the service. */
export function isAtRest({ executions }: ReadDeps, scope: ExecutionScope): boolean {
  const { status, error } = executions.list(scope);
  return status === 'loaded' || (status === 'failed' && error?.reason.kind !== 'notOffered');
}

export function listRead({ executions }: ReadDeps, scope: ExecutionScope): Read {
  return {
    name: scopeName(scope),
    executionId: null,
    send: (signal) => executions.refreshNewest(scope, signal, 'executions'),
  };
}

/** The unfinished executions in sight that no list of `listed` has among its newest items. */
export function singleReads(
  deps: ReadDeps,
  lists: readonly ExecutionScope[],
  listed: readonly ExecutionScope[],
): readonly Read[] {
  const { executions } = deps;
  const known = new Set(listed.flatMap((scope) => executions.newest(scope).map(({ id }) => id)));
  return lists.flatMap((scope) => {
    const { connectionId } = scope;
    return executions
      .list(scope)
      .items.filter((each) => !known.has(each.id) && isUnlisted(deps, connectionId, each))
      .map(({ id }) => {
        const target = { connectionId, executionId: id };
        return {
          name: executionName(target),
          executionId: id,
          send: (signal: AbortSignal) => executions.read(target, signal, 'executions'),
        };
      });
  });
}

/** The node runs in sight that nobody follows, of executions that go on or whose rows could not be read. */
export function logReads(
  { executions, following }: ReadDeps,
  unfolded: readonly ExecutionTarget[],
): readonly Read[] {
  return unfolded.flatMap((target) => {
    const state = executions.find(target)?.status.state;
    const { kind } = executions.logs(target).reading;
    if (following.isFollowing(target) || kind === 'never' || state === undefined) return [];
    if (!isUnfinished(state) && kind !== 'failed') return [];
    return {
      name: `logs ${executionName(target)}`,
      executionId: target.executionId,
      send: (signal: AbortSignal) => executions.readLogs(target, signal, 'executions'),
    };
  });
}
