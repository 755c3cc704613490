// Servers that misbehave below HTTP. One table: each caller that waits for another computer runs over it.
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface RudeServer {
  readonly name: string;
  /** Called when the first bytes of a request have come, with them. */
  readonly answer: (socket: Socket, bytes: Buffer) => void;
  /** False where the answer is whole though odd, so that a caller may take it. */
  readonly isFailure: boolean;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const json = 'Content-Type: application/json\r\n';

/** Writes for as long as the connection is open. */
function drip(socket: Socket, text: string, everyMs = 20): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const saying =
  (text: string) =>
  (socket: Socket): void =>
    void socket.write(text);
const sayingLast =
  (text: string) =>
  (socket: Socket): void =>
    void socket.end(text);
const dripping =
  (begin: string, text: string) =>
  (socket: Socket): void => {
    socket.write(begin);
    drip(socket, text);
  };

const failing: readonly (readonly [string, RudeServer['answer']])[] = [
  ['says nothing', () => undefined],
  ['changes the protocol (101)', saying('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')],
  [
    'changes the protocol and closes',
    sayingLast('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  ],
  ['answers 101 without an Upgrade header', saying('HTTP/1.1 101 X\r\n\r\n')],
  ['announces an answer again and again (100)', dripping('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ['sends early hints for ever (103)', dripping('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
  ['announces an answer once (102)', saying('HTTP/1.1 102 Processing\r\n\r\n')],
  ['stops within the status line', saying('HTTP/1.1 20')],
  ['stops within the headers', saying(`${ok}${json}X-A: `)],
  ['sends headers without end', dripping(ok, 'X-A: b\r\n')],
  ['sends the headers byte by byte', dripping(`${ok}X-A: `, 'b')],
  ['sends huge headers', saying(`${ok}X-A: ${'b'.repeat(200_000)}\r\n\r\n`)],
  ['sends a body that never begins', saying(`${ok}${json}Content-Length: 10\r\n\r\n`)],
  ['stops within the body', saying(`${ok}${json}Content-Length: 10\r\n\r\n{"a"`)],
  ['closes within the body', sayingLast(`${ok}${json}Content-Length: 10\r\n\r\n{"a"`)],
  ['drips a body without end', dripping(`${ok}${json}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n')],
  ['drips a body until it closes', dripping(`${ok}${json}\r\n`, ' ')],
  ['sends a bad chunk', saying(`${ok}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`)],
  ['never sends the last chunk', saying(`${ok}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  ['closes before the last chunk', sayingLast(`${ok}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  ['gives two lengths', saying(`${ok}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`)],
  ['gives a length that is none', saying(`${ok}${json}Content-Length: -2\r\n\r\n{}`)],
  ['resets the connection', (socket) => void socket.resetAndDestroy()],
  [
    'resets the connection within the body',
    (socket) => {
      socket.write(`${ok}${json}Content-Length: 10\r\n\r\n{`, () => socket.resetAndDestroy());
    },
  ],
  ['closes without a word', (socket) => void socket.end()],
  ['speaks something else', saying('SSH-2.0-OpenSSH_9.6\r\n')],
  ['speaks HTTP/0.9', sayingLast('{"data":[]}')],
  ['sends bytes of no meaning', saying('\0\x01\x02\xff'.repeat(100))],
  ['sends a gzip that is none', sayingLast(`${ok}${json}Content-Encoding: gzip\r\n\r\nno gzip`)],
  [
    'sends a gzip that stops',
    (socket) => {
      const body = gzipSync('{"data":[]}').subarray(0, 12);
      socket.write(`${ok}${json}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    },
  ],
  [
    'sends a gzip that unpacks to 50 MB',
    (socket) => {
      const body = gzipSync(Buffer.alloc(50_000_000));
      socket.write(`${ok}${json}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    },
  ],
  [
    'redirects in a circle',
    sayingLast('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n'),
  ],
  [
    'redirects with a body without end',
    dripping('HTTP/1.1 302 Found\r\nLocation: /again\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'),
  ],
];

const odd: readonly (readonly [string, RudeServer['answer']])[] = [
  ['sends 204 with a body', saying('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}')],
  ['sends more than the length it gave', saying(`${ok}${json}Content-Length: 11\r\n\r\n{"data":[]}and more`)],
];

export const rudeServers: readonly RudeServer[] = [
  ...failing.map(([name, answer]): RudeServer => ({ name, answer, isFailure: true })),
  ...odd.map(([name, answer]): RudeServer => ({ name, answer, isFailure: false })),
];

interface RunningRudeServer {
  readonly port: number;
  /** Resolves once each connection that was opened has closed. */
  closed(): Promise<void>;
  close(): void;
}

export async function serveRudely({ answer }: Pick<RudeServer, 'answer'>): Promise<RunningRudeServer> {
  const sockets = new Set<Socket>();
  let notice: (() => void) | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) notice?.();
    });
    socket.once('data', (bytes: Buffer) => {
      answer(socket, bytes);
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    closed: () =>
      new Promise((resolve) => {
        notice = resolve;
        if (sockets.size === 0) resolve();
      }),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
