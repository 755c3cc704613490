import type { Options, PostgresType } from 'postgres';

/** Ours before the engine's: the SQL of the store names no schema. */
export const storeSchema = 'workflow_automation';
export const engineSchema = 'openworkflow';

/** No statement of the service takes longer, except migrations. */
const statementTimeoutMs = 30_000;

type Types = Record<'number', PostgresType<number>>;

/** The options of a pool with at most this number of connections. */
export function connectionOptions(poolSize: number): Options<Types> {
  return {
    max: poolSize,
    connect_timeout: 10,
    // Retries are the callers': an attempt fails at once when the database is away.
    backoff: () => 0.5,
    onnotice: () => undefined,
    types: { number: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'workflow-automation',
      search_path: `${storeSchema}, ${engineSchema}`,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    },
  };
}
