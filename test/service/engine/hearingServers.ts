// Servers whose responses a test gives, each an origin of its own; they record what they receive.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Served {
  readonly origin: string;
  readonly heard: readonly Heard[];
}

export class HearingServers {
  readonly #servers: Server[] = [];

  async serve(answer: (response: ServerResponse) => void): Promise<Served> {
    const heard: Heard[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(response);
      });
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
  }

  close(): void {
    for (const server of this.#servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  }
}
