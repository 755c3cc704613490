import type { Observable } from '../base/observable.ts';
import type { ObservedBudget } from '../domain/budget.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { Clients } from './clients.ts';

/** What is known of each connection's service without asking it. Members throw a ConnectionError "unknownConnection". */
export class Services {
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** The requests that the connection's key has left. */
  budget(connectionId: string): ObservedBudget {
    return this.#clients.get(connectionId).budget;
  }

  /** What the service was found not to offer by any way, until it works after all. */
  notOffered(connectionId: string): Observable<ReadonlySet<OperationName>> {
    return this.#clients.get(connectionId).notOffered;
  }
}
