// A database of the benchmarks' own, in which both have their tables, and which SQL fills with work at once.
import { BackendPostgres } from 'openworkflow/postgres';
import postgres from 'postgres';
import * as v from 'valibot';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { bareSchema, bareWorkflow, definition, input, type Kind } from './rivals.ts';

/** Of the ids of executions that count. */
const batchPrefix = 'batch_';
const Filled = v.object({ at: v.number() });
const Sent = v.object({ statements: v.number() });
const Progress = v.object({ completed: v.number(), last: v.nullable(v.number()) });
/** How many have completed, and when the last one did. */
const progressOf: Readonly<Record<Kind, string>> = {
  'bare OpenWorkflow': `SELECT CAST(count(*) AS INTEGER) AS completed, extract(epoch FROM max(finished_at))::float8 * 1000 AS last
    FROM ${bareSchema}.workflow_runs WHERE status = 'completed'`,
  'the service': `SELECT CAST(count(*) AS INTEGER) AS completed, extract(epoch FROM max(completed_at)::timestamptz)::float8 * 1000 AS last
    FROM executions WHERE status = 'completed' AND id LIKE '${batchPrefix}%'`,
};

export class BenchDatabase {
  readonly address: DatabaseAddress;
  readonly store: PostgresStore;
  readonly sql: postgres.Sql;
  readonly #server: PostgresServer;

  private constructor(server: PostgresServer, address: DatabaseAddress) {
    this.#server = server;
    this.address = address;
    this.store = new PostgresStore({ address });
    this.sql = postgres(address.url, { ...connectionOptions(2) });
  }

  static async start(isDurable = true): Promise<BenchDatabase> {
    const settings = ['shared_preload_libraries=pg_stat_statements'];
    const server = await PostgresServer.start({ isDurable, settings });
    const address = await server.createDatabase('bench');
    await migrate(address);
    const bare = await BackendPostgres.connect(address.url, { schema: bareSchema });
    await bare.stop();
    const database = new BenchDatabase(server, address);
    await database.sql.unsafe('CREATE EXTENSION pg_stat_statements');
    return database;
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** How many statements the database has carried out, without those of this process; a notification or a COMMIT is one, too. */
  async countStatements(): Promise<number> {
    const [row] = await this.sql.unsafe(
      `SELECT CAST(sum(calls) AS INTEGER) AS statements FROM pg_stat_statements
       WHERE query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%AS completed%'`,
    );
    return v.parse(Sent, row).statements;
  }

  /** Adds so many executions in one transaction; returns its time in epoch milliseconds. */
  async add(kind: Kind, count: number): Promise<number> {
    if (kind === 'bare OpenWorkflow') return this.#addRuns(count);
    const { executions } = this.store;
    const template = await executions.trigger({
      workflowId: 'wf_bench',
      definition,
      input: JSON.stringify(input),
    });
    if (template.kind !== 'created') throw new Error('The template was not made.');
    const { id } = template.execution;
    const [row] = await this.sql.unsafe(
      `WITH added AS (
         INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, definition_hash, input, queue, needs, available_at)
         SELECT '${batchPrefix}' || $2 || number, workflow_id, 'evt_' || number, 'queued', cause, created_at, definition_hash, input, queue, needs, available_at
         FROM executions, generate_series(1, $1::integer) AS number WHERE id = $2 RETURNING 1)
       SELECT extract(epoch FROM now())::float8 * 1000 AS at FROM added LIMIT 1`,
      [count, id],
    );
    this.store.announce('work');
    return v.parse(Filled, row).at;
  }

  /** Resolves when all runs that were added are completed; returns the time of the last one. */
  async completed(kind: Kind, count: number): Promise<number> {
    for (;;) {
      const [row] = await this.sql.unsafe(progressOf[kind]);
      const { completed, last } = v.parse(Progress, row);
      if (completed >= count && last !== null) return last;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async dispose(): Promise<void> {
    await this.store.close();
    await this.sql.end({ timeout: 1 });
    await this.#server.dispose();
  }

  async #addRuns(count: number): Promise<number> {
    const [row] = await this.sql.unsafe(
      `WITH added AS (
         INSERT INTO ${bareSchema}.workflow_runs (namespace_id, id, workflow_name, status, idempotency_key, config, context, input,
           attempts, available_at, created_at, updated_at)
         SELECT 'default', gen_random_uuid()::text, '${bareWorkflow}', 'pending', NULL, '{}'::jsonb, NULL, $2::jsonb, 0, now(), now(), now()
         FROM generate_series(1, $1::integer) AS number RETURNING 1)
       SELECT extract(epoch FROM now())::float8 * 1000 AS at FROM added LIMIT 1`,
      [count, input],
    );
    return v.parse(Filled, row).at;
  }
}
