import type { Observable } from '../base/event.ts';
import type { ObservedBudget } from '../domain/budget.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { Clients } from './clients.ts';

/** The known state of each connection's service, without requests. Members throw a ConnectionError "unknownConnection". */
export class Services {
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** The requests that the connection's key has left. */
  budget(connectionId: string): ObservedBudget {
    return this.#clients.get(connectionId).budget;
  }

  /** The operations that the service doesn't offer in any form, until they succeed. */
  notOffered(connectionId: string): Observable<ReadonlySet<OperationName>> {
    return this.#clients.get(connectionId).notOffered;
  }
}
