import { createAdaptorServer } from '@hono/node-server';
import { Server } from 'node:http';
import { limits } from '../../protocol/operations.ts';
import type { ServiceApp } from '../http/routes.ts';

export interface Listener {
  readonly port: number;
  /** Stops accepting connections and closes the open ones. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 only; port 0 selects a free port. Rejects when the port is in use. */
export async function listen(app: ServiceApp, port: number): Promise<Listener> {
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new TypeError('The server must speak plain HTTP.');
  // Covers the cases that no route handles: headers that don't arrive and bodies that no route reads.
  server.headersTimeout = limits.bodyTimeoutMs;
  server.requestTimeout = limits.bodyTimeoutMs + 5000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
