// Why: one client per connection, shared by all that speak to it, kept until the connection goes or moves.
import type { ServiceClient } from '../api/client.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Connections } from './connections/connections.ts';
import type { ClientFactory } from './ports.ts';

export interface Clients extends Disposable {
  /** The connection's client. Throws a ConnectionError "unknownConnection". */
  get(connectionId: string): ServiceClient;
}

export declare function createClients(connections: Connections, createClient: ClientFactory): Clients;
