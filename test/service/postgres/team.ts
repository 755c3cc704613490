// A service of several processes on one database, and a server that counts what its nodes do.
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/base/json.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { createDatabase } from '../../support/storage.ts';
import { at, listAt, call, type Service } from '../calls.ts';
import {
  createKey,
  type Program,
  type RunningProcess,
  startTeamService,
  startWorker,
} from '../process/program.ts';

export class Team {
  readonly #server: PostgresServer | undefined;
  readonly address: DatabaseAddress;
  readonly key: string;
  readonly workers: RunningProcess[] = [];
  readonly #services: Program[] = [];

  private constructor(server: PostgresServer | undefined, address: DatabaseAddress, key: string) {
    this.#server = server;
    this.address = address;
    this.key = key;
  }

  /** On a database of its own, or with `hasServer` on a server of its own. */
  static async start(
    services: number,
    workers: number,
    { hasServer = false }: { readonly hasServer?: boolean } = {},
  ): Promise<Team> {
    const server = hasServer ? await PostgresServer.start() : undefined;
    const address =
      (await server?.createDatabase('team')) ??
      (await createDatabase(`team_${randomUUID().replaceAll('-', '')}`));
    await migrate(address);
    const team = new Team(server, address, await createKey(address));
    const all = { services: Array.from({ length: services }), workers: Array.from({ length: workers }) };
    await Promise.all([
      ...all.services.map(async () => team.#services.push(await startTeamService(address, '--no-worker'))),
      ...all.workers.map(() => team.addWorker()),
    ]);
    return team;
  }

  /** Its own. */
  get server(): PostgresServer {
    if (this.#server === undefined) throw new Error('The team has no server of its own.');
    return this.#server;
  }

  /** One of the API's processes, as the tests call it. */
  service(index: number): Service {
    const { origin } = new URL(this.program(index).baseUrl);
    return {
      key: this.key,
      app: { request: (path: string, init?: RequestInit) => fetch(origin + path, init) },
    };
  }

  /** Returns the index of another process of the API, which has no worker unless the words say otherwise. */
  async addService(...words: string[]): Promise<number> {
    const chosen = words.length > 0 ? words : ['--no-worker'];
    return this.#services.push(await startTeamService(this.address, ...chosen)) - 1;
  }

  /** All that run. */
  get processes(): readonly RunningProcess[] {
    return [...this.workers, ...this.#services];
  }

  program(index: number): Program {
    const program = this.#services[index];
    if (!program) throw new RangeError(`There is no process ${index}.`);
    return program;
  }

  async addWorker(): Promise<RunningProcess> {
    const worker = await startWorker(this.address);
    this.workers.push(worker);
    return worker;
  }

  /** Ends a worker as a crash does. */
  async killWorker(worker: RunningProcess): Promise<void> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    await worker.kill();
  }

  async dispose(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.#server?.dispose();
  }
}

/** Counts requests by path, and holds the selected ones. */
export class CountingServer {
  readonly counts = new Map<string, number>();
  #requests = 0;
  readonly #held: { readonly path: string; readonly response: ServerResponse }[] = [];
  readonly #server: Server;
  #isHeld: (path: string) => boolean = () => false;
  #onRequest: (() => void) | undefined;
  #abandoned = 0;
  #onAbandoned: (() => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.#requests += 1;
      this.counts.set(path, (this.counts.get(path) ?? 0) + 1);
      if (this.#isHeld(path)) this.#hold(path, response);
      else response.end('ok');
      this.#onRequest?.();
    });
    // A worker that is slow would send a request on a connection that was closed just now.
    this.#server.keepAliveTimeout = 60_000;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Holds the requests of these paths until `release` is called. */
  hold(isHeld: (path: string) => boolean): void {
    this.#isHeld = isHeld;
  }

  release(): void {
    this.#isHeld = () => false;
    for (const { response } of this.#held.splice(0)) response.end('ok');
  }

  /** Resolves when this many requests are held. */
  async untilHeld(count: number): Promise<void> {
    while (this.#held.length < count) await new Promise<void>((resolve) => (this.#onRequest = resolve));
  }

  /** Resolves when the clients of this many held requests have closed them. */
  async untilAbandoned(count: number): Promise<void> {
    while (this.#abandoned < count) await new Promise<void>((resolve) => (this.#onAbandoned = resolve));
  }

  /** Resolves when this many more requests have come. */
  async untilRequests(more: number): Promise<void> {
    const wanted = this.#requests + more;
    while (this.#requests < wanted) await new Promise<void>((resolve) => (this.#onRequest = resolve));
  }

  #hold(path: string, response: ServerResponse): void {
    this.#held.push({ path, response });
    response.on('close', () => {
      if (response.writableEnded) return;
      this.#abandoned += 1;
      this.#onAbandoned?.();
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** The whole log of an execution. */
export async function readLog(service: Service, executionId: string): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  for (;;) {
    const after = Number(at(rows.at(-1), 'sequence') ?? 0);
    const { body } = await call(
      service,
      'GET',
      `/v1/executions/${executionId}/logs?limit=100&after=${after}`,
    );
    const page = listAt(body, 'data');
    rows.push(...page);
    if (page.length < 100) return rows;
  }
}
