// Servers whose responses a test gives, each an origin of its own; they record what they receive.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type Running, serve } from '../../support/servers.ts';

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
  readonly #servers: Running[] = [];

  async serve(answer: (response: ServerResponse) => void): Promise<Served> {
    const heard: Heard[] = [];
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(response);
      });
    });
    this.#servers.push(server);
    return { origin: `http://127.0.0.1:${server.port}`, heard };
  }

  close(): void {
    for (const server of this.#servers.splice(0)) void server.close();
  }
}
