// One client per connection, shared by all that speak to it, kept until the connection goes or moves.
import type { ServiceClient } from '../api/client.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ServiceError } from '../domain/serviceError.ts';
import { ConnectionError } from '../domain/connectionError.ts';
import type { Connections } from './connections/connections.ts';
import type { ClientFactory } from './ports.ts';
import { watchClient } from './watchedClient.ts';

interface CallFailure {
  readonly connectionId: string;
  readonly error: ServiceError;
}

export interface Clients extends Disposable {
  /** The connection's client; another window may have made the connection. Throws a ConnectionError "unknownConnection". */
  get(connectionId: string): ServiceClient;
  /** Any call that failed, whoever made it. */
  readonly onDidFail: Event<CallFailure>;
}

/** Clients made on first use; those of removed or moved connections are disposed of, which ends what they have under way. */
export function createClients(connections: Connections, createClient: ClientFactory): Clients {
  const held = new Map<string, { readonly baseUrl: string; readonly client: ServiceClient }>();
  const failures = new Emitter<CallFailure>();
  const listener = connections.all.onDidChange(() => {
    for (const [connectionId, { baseUrl, client }] of held) {
      if (connections.find(connectionId)?.baseUrl === baseUrl) continue;
      held.delete(connectionId);
      client.dispose();
    }
  });
  return Object.freeze({
    onDidFail: failures.event,
    get(connectionId: string): ServiceClient {
      if (!connections.find(connectionId)) connections.reload();
      const connection = connections.find(connectionId);
      if (!connection) throw new ConnectionError({ kind: 'unknownConnection', connectionId });
      const existing = held.get(connectionId);
      if (existing?.baseUrl === connection.baseUrl) return existing.client;
      existing?.client.dispose();
      const client = watchClient(
        createClient(connection, () => connections.readKey(connection)),
        connectionId,
        (error) => failures.fire({ connectionId, error }),
      );
      held.set(connectionId, { baseUrl: connection.baseUrl, client });
      return client;
    },
    dispose(): void {
      listener.dispose();
      failures.dispose();
      for (const { client } of held.values()) client.dispose();
      held.clear();
    },
  });
}
