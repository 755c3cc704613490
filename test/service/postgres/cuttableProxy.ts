import { connect, createServer, type Socket } from 'node:net';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';

/** Forwards to a server on this machine. `cut` takes the clients' connections away, but the server doesn't learn of it. */
export async function createCuttableProxy(target: DatabaseAddress) {
  const url = new URL(target.url);
  const clients = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target.url).port), '127.0.0.1');
    clients.add(client);
    upstreams.add(upstream);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => client.destroyed || client.write(chunk));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };
  return {
    address: { ...target, url: url.href },
    cut,
    close: () => {
      cut();
      for (const upstream of upstreams) upstream.destroy();
      server.close();
    },
  };
}
