// The real client on real sockets, and servers for it, all closed with the test.
import type { RequestListener } from 'node:http';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { Clock } from '../../src/base/time.ts';
import { createHastyClock } from './hastyClock.ts';
import { type Running, serve } from './servers.ts';

export interface SocketClients {
  /** What loads the HTTP port of all clients. */
  readonly loader: HttpLoader;
  /** A client of what listens at this port. */
  connect(port: number): ServicePort;
  /** A client of a service that answers so. */
  against(listener: RequestListener): Promise<ServicePort>;
  /** Closes a server with the rest. */
  own(server: Running): void;
  dispose(): Promise<void>;
}

export const socketKey = 'svc_sk_odd0123456789';

/** clock: by default one on which pauses are short. */
export function createSocketClients(clock: Clock = createHastyClock()): SocketClients {
  const loader = new HttpLoader(() => ({ environment: {} }));
  const clients: ServicePort[] = [];
  const servers: Running[] = [];
  const connect = (port: number): ServicePort => {
    const client = createClient({
      http: loader.load,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      key: () => Promise.resolve(socketKey),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock }),
      logger: silentLogger,
      clock,
    });
    clients.push(client);
    return client;
  };
  return {
    loader,
    connect,
    async against(listener) {
      const server = await serve(listener);
      servers.push(server);
      return connect(server.port);
    },
    own: (server) => {
      servers.push(server);
    },
    async dispose() {
      for (const client of clients) client.dispose();
      loader.dispose();
      for (const server of servers) await server.close();
    },
  };
}
