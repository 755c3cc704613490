import { createAdaptorServer } from '@hono/node-server';
import { Server } from 'node:http';
import { limits } from '../../protocol/operations.ts';
import type { ServiceApp } from '../http/routes.ts';

export interface Listener {
  readonly port: number;
  /** Stops accepting connections, lets requests under way end for the given time in milliseconds, and closes what's still open. */
  close(graceMs?: number): Promise<void>;
}

export interface ListenOptions {
  /** A name or address of this machine; default 127.0.0.1. */
  readonly host?: string;
  /** A connection is closed when nothing of its response was read for this long, in milliseconds; default 30,000. */
  readonly stallMs?: number;
  /** Called for each connection that is closed for that reason. */
  readonly onStall?: (() => void) | undefined;
  /** Called when a connection can't be accepted, such as without a file descriptor left; it listens on. */
  readonly onError?: (error: Error) => void;
}

const closingPollMs = 20;

/** Port 0 selects a free port. Rejects when the port is in use. */
export async function listen(app: ServiceApp, port: number, options: ListenOptions = {}): Promise<Listener> {
  const { host = '127.0.0.1', stallMs = limits.stallMs, onStall, onError } = options;
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new TypeError('The server must speak plain HTTP.');
  // Covers the cases that no route handles: headers that don't arrive and bodies that no route reads.
  server.headersTimeout = limits.bodyTimeoutMs;
  server.requestTimeout = limits.bodyTimeoutMs + 5000;
  server.prependListener('request', ({ socket }, response) => {
    // Node notices when the kernel accepts more of what is being written, and restarts the wait. A stream without news has nothing to be
    // read.
    response.setTimeout(stallMs, () => {
      if (socket.writableLength === 0) return;
      socket.destroy();
      onStall?.();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', (error) => onError?.(error));
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return { port: address.port, close: (graceMs = 0) => close(server, graceMs) };
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const closeAll = (): void => server.closeAllConnections();
    const timers =
      graceMs === 0
        ? []
        : // A connection is closed once its request has ended, even if the caller would keep it.
          [setInterval(() => server.closeIdleConnections(), closingPollMs), setTimeout(closeAll, graceMs)];
    server.close(() => {
      for (const timer of timers) clearInterval(timer);
      resolve();
    });
    if (graceMs === 0) closeAll();
  });
}
