// Networks drop connections in the middle of a byte sequence; this one does it on purpose.
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Forwards to a port of this machine; each connection is destroyed after as many bytes towards the client as the test says, Infinity for never. */
export async function createCuttingProxy(target: number, bytesUntilCut: () => number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let left = bytesUntilCut();
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk: Buffer) => {
      if (client.destroyed) return;
      const passed = chunk.subarray(0, Math.max(0, left));
      left -= chunk.length;
      if (left > 0) {
        client.write(passed);
        return;
      }
      cuts += 1;
      // The bytes before the cut arrive; the rest never does.
      client.end(passed, () => upstream.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get cuts() {
      return cuts;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
