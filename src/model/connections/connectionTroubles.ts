import { combine, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServiceError, ServiceErrorReason } from '../../domain/errors.ts';
import type { Clients } from './clients.ts';
import type { Connections } from './connections.ts';

/** True for a failure of the connection itself. Any other response shows that it works. */
function isOfConnection({ reason }: ServiceError): boolean {
  if (reason.kind === 'unreadable') return reason.cause === 'webPage';
  return ['keyMissing', 'keyRejected', 'unreachable', 'unavailable'].includes(reason.kind);
}

/** Failures that say nothing about the connection: nothing was sent. */
const unreported: ReadonlySet<ServiceErrorReason['kind']> = new Set(['rateLimited', 'secretStorage']);

interface TroublesDeps {
  readonly connections: Pick<Connections, 'all' | 'find' | 'onDidChangeKey'>;
  readonly clients: Pick<Clients, 'onDidFail' | 'onDidRespond'>;
}

/** Why the last call of each connection failed, if it failed because of the connection. Asks nothing by itself. */
export class ConnectionTroubles implements Disposable {
  readonly #connections: TroublesDeps['connections'];
  readonly #held = new Map<string, { readonly baseUrl: string; readonly error: ServiceError }>();
  readonly #changes = new Emitter<string>();
  readonly #listeners: Disposable;

  constructor({ connections, clients }: TroublesDeps) {
    this.#connections = connections;
    this.#listeners = combine(
      clients.onDidFail(({ connectionId, error }) => this.#take(connectionId, error)),
      clients.onDidRespond((connectionId) => this.#clear(connectionId)),
      connections.onDidChangeKey((connectionId) => this.#clear(connectionId)),
      connections.all.onDidChange(() => this.#release()),
    );
  }

  /** Fires with the id of the connection. */
  get onDidChange(): Event<string> {
    return this.#changes.event;
  }

  find(connectionId: string): ServiceError | undefined {
    return this.#held.get(connectionId)?.error;
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changes.dispose();
  }

  #take(connectionId: string, error: ServiceError): void {
    if (unreported.has(error.reason.kind)) return;
    const baseUrl = this.#connections.find(connectionId)?.baseUrl;
    if (baseUrl === undefined || !isOfConnection(error)) {
      this.#clear(connectionId);
      return;
    }
    this.#held.set(connectionId, { baseUrl, error });
    this.#changes.fire(connectionId);
  }

  #clear(connectionId: string): void {
    if (this.#held.delete(connectionId)) this.#changes.fire(connectionId);
  }

  /** Forgets connections that were removed or that have another address. */
  #release(): void {
    for (const [connectionId, { baseUrl }] of this.#held)
      if (this.#connections.find(connectionId)?.baseUrl !== baseUrl) this.#clear(connectionId);
  }
}
