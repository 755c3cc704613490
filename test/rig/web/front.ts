// A person's browser needs two things that the bare server lacks: the same address each time, and the half of the key that seals secrets.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { VsCodeServer } from './server.ts';

export interface Front {
  /** What a person opens. */
  readonly address: string;
  readonly stop: () => void;
}

const host = '127.0.0.1';

/** Reads a small file that outlives a run, or makes it. */
function kept(path: string, make: () => Buffer): Buffer {
  if (!existsSync(path)) writeFileSync(path, make(), { mode: 0o600 });
  return readFileSync(path);
}

/** Listens on the port of the last run, since a browser keeps secrets by address, or on a free one when it is taken. */
async function listen(server: Server, portFile: string): Promise<number> {
  const last = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  const attempt = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  await attempt(last).catch(() => attempt(0));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The front has no port.');
  writeFileSync(portFile, String(bound.port));
  return bound.port;
}

/** Passes a request on to the server and its answer back. */
function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const upstream = send({ host, port, method, path, headers }, (answer) => {
    // The browser may have left meanwhile.
    if (response.destroyed) {
      answer.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  upstream.once('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  pipeline(request, upstream, () => undefined);
}

/** Answers in place of the server where needed; `folder` is where what outlives a run is kept. */
export async function startFront(vsCode: VsCodeServer, folder: string): Promise<Front> {
  const sealingKey = kept(join(folder, 'sealing-key'), () => randomBytes(32));
  const isKnown = (request: IncomingMessage): boolean =>
    (request.headers.cookie ?? '').split(/;\s*/).includes(`vscode-tkn=${vsCode.token}`);

  const server = createServer((request, response) => {
    if (request.url === '/mint-key' && isKnown(request)) response.end(sealingKey);
    else forward(request, response, vsCode.port);
  });
  server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
    const upstream = connect(vsCode.port, host);
    const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`];
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      lines.push(`${request.rawHeaders[index] ?? ''}: ${request.rawHeaders[index + 1] ?? ''}`);
    }
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    pipeline(socket, upstream, () => undefined);
    pipeline(upstream, socket, () => undefined);
  });
  const port = await listen(server, join(folder, 'port'));

  return {
    address: `http://${host}:${port}/?tkn=${vsCode.token}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
