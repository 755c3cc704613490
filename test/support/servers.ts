// Odd services on real sockets, and proxies in front of them, each closed with its test.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { testCertificate, testPrivateKey } from './certificate.ts';

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

async function run(server: Server): Promise<Running> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A plain HTTP server on this machine. */
export function serve(listener: RequestListener): Promise<Running> {
  return run(createServer(listener));
}

/** An HTTPS server with the test's certificate. */
export function serveTls(listener: RequestListener): Promise<Running> {
  return run(createTlsServer({ cert: testCertificate, key: testPrivateKey }, listener));
}

/** Answers with JSON. */
export function answering(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Refuses as the contract says. */
export const refusing = (
  status: number,
  code: string,
  message: string,
  details?: readonly unknown[],
): RequestListener => answering(status, { error: { code, message, details } });

export interface ProxyOptions {
  /** Where every connection goes, whatever host was asked for. */
  readonly target: number;
  /** What to answer CONNECT with instead of connecting. */
  readonly refusal?: string;
  /** Takes connections and never says anything. */
  readonly isSilent?: boolean;
}

/** A proxy that understands CONNECT; asked: every request line and its credentials. */
export async function serveProxy({
  target,
  refusal,
  isSilent = false,
}: ProxyOptions): Promise<Running & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(501).end();
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push(`CONNECT ${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    client.on('error', () => client.destroy());
    if (isSilent) return;
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return Object.assign(await run(server), { asked });
}

/** A port on this machine where nothing listens. */
export async function closedPort(): Promise<number> {
  const running = await serve(() => undefined);
  await running.close();
  return running.port;
}
