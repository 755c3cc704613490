// Which executions the view shows: those of the active connection, narrowed as the person chose.
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../../base/observable.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { type ExecutionFilter, noExecutionFilter } from '../../../domain/executionFilter.ts';
import type { Executions } from '../../../model/executions/executions.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';

/** What the list is narrowed to; workflowId null: all workflows. */
export interface Narrowing {
  readonly workflowId: string | null;
  readonly filter: ExecutionFilter;
}

export const notNarrowed: Narrowing = Object.freeze({ workflowId: null, filter: noExecutionFilter });

export type ShownScope = ExecutionScope & Narrowing;

export interface ViewScope extends Disposable {
  /** null: there is no connection. Replaced when what is shown begins anew. */
  readonly scope: Observable<ShownScope | null>;
  narrow(narrowing: Narrowing): void;
}

export function isNarrowed({ workflowId, filter }: Narrowing): boolean {
  return workflowId !== null || filter.status !== null || filter.period !== null;
}

/** A switch of the connection forgets the filter; another key may belong to another account, so its list begins anew. */
export function createViewScope(
  { active, onDidChangeKey }: Pick<Connections, 'active' | 'onDidChangeKey'>,
  executions: Pick<Executions, 'forget'>,
): ViewScope {
  const owned = new DisposableStore();
  const scopeOf = (narrowing: Narrowing): ShownScope | null =>
    active.current === null ? null : { connectionId: active.current.id, ...narrowing };
  const scope = owned.add(new ObservableValue<ShownScope | null>(scopeOf(notNarrowed)));
  const turnTo = (next: ShownScope | null): void => {
    if (scope.current !== null) executions.forget(scope.current);
    scope.set(next);
  };
  let baseUrl = active.current?.baseUrl;
  owned.add(
    active.onDidChange((connection) => {
      const isSame = connection?.id === scope.current?.connectionId && connection?.baseUrl === baseUrl;
      baseUrl = connection?.baseUrl;
      if (!isSame) turnTo(scopeOf(notNarrowed));
    }),
  );
  owned.add(
    onDidChangeKey((connectionId) => {
      if (scope.current?.connectionId === connectionId) turnTo({ ...scope.current });
    }),
  );
  return {
    scope,
    narrow: (narrowing) => turnTo(scopeOf(narrowing)),
    dispose: () => owned.dispose(),
  };
}
