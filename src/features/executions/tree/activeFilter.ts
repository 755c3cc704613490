import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../../base/event.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { type ExecutionFilter, noExecutionFilter } from '../../../domain/queries.ts';
import type { Executions } from '../../../model/executions/executions.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';

/** The executions of a connection that the view shows. workflowId null: of all workflows. */
export interface ViewFilter {
  readonly workflowId: string | null;
  readonly filter: ExecutionFilter;
}

export const noFilter: ViewFilter = { workflowId: null, filter: noExecutionFilter };

export type ShownScope = ExecutionScope & ViewFilter;

export function isFiltered({ workflowId, filter }: ViewFilter): boolean {
  return workflowId !== null || filter.status !== null || filter.period !== null;
}

/**
 * The executions that the view shows: those of the active connection that pass the filter. Switching the connection clears the
 * filter. Another key may belong to another account, so a new key reloads the list.
 */
export class ActiveFilter implements Disposable {
  readonly #connections: Pick<Connections, 'active' | 'onDidChangeKey'>;
  readonly #executions: Pick<Executions, 'forget'>;
  readonly #owned = new DisposableStore();
  readonly #scope: ObservableValue<ShownScope | null>;

  constructor(
    connections: Pick<Connections, 'active' | 'onDidChangeKey'>,
    executions: Pick<Executions, 'forget'>,
  ) {
    this.#connections = connections;
    this.#executions = executions;
    this.#scope = this.#owned.add(new ObservableValue(this.#scopeOf(noFilter)));
    const { active, onDidChangeKey } = connections;
    let baseUrl = active.current?.baseUrl;
    this.#owned.add(
      active.onDidChange((connection) => {
        const isSame =
          connection?.id === this.#scope.current?.connectionId && connection?.baseUrl === baseUrl;
        baseUrl = connection?.baseUrl;
        if (!isSame) this.set(noFilter);
      }),
    );
    this.#owned.add(
      onDidChangeKey((connectionId) => {
        const { current } = this.#scope;
        if (current?.connectionId === connectionId) this.#turnTo({ ...current });
      }),
    );
  }

  /** null: there is no connection. Set to a new object when the list is reloaded. */
  get scope(): Observable<ShownScope | null> {
    return this.#scope;
  }

  set(filter: ViewFilter): void {
    this.#turnTo(this.#scopeOf(filter));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #scopeOf(filter: ViewFilter): ShownScope | null {
    const { current } = this.#connections.active;
    return current === null ? null : { connectionId: current.id, ...filter };
  }

  #turnTo(next: ShownScope | null): void {
    if (this.#scope.current !== null) this.#executions.forget(this.#scope.current);
    this.#scope.set(next);
  }
}
