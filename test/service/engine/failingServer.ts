// A server that counts the calls of each path, and fails as often as a test wants.
import { type Running, serve } from '../../support/servers.ts';

export class FailingServer {
  readonly #failures = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  #running: Running | undefined;

  async start(): Promise<void> {
    this.#running = await serve(({ url = '' }, response) => {
      this.#calls.set(url, (this.#calls.get(url) ?? 0) + 1);
      const left = this.#failures.get(url) ?? 0;
      if (left > 0) this.#failures.set(url, left - 1);
      response
        .writeHead(left > 0 ? 500 : 200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ path: url }));
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#running?.port ?? 0}`;
  }

  /** Has the next calls of the path fail. */
  fail(path: string, times = 1): void {
    this.#failures.set(path, times);
  }

  /** How often each path was called since the last look, by path. */
  take(): Readonly<Record<string, number>> {
    const calls = Object.fromEntries([...this.#calls].sort(([left], [right]) => (left < right ? -1 : 1)));
    this.#calls.clear();
    return calls;
  }

  async close(): Promise<void> {
    await this.#running?.close();
  }
}
