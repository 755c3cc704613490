import postgres, { type Options, type PostgresType, type ReservedSql } from 'postgres';
import type { DatabaseAddress } from './address.ts';

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

/**
 * Opens a pool whose `reserve` always settles. The postgres package forgets one of those who wait for a connection whenever one is lost, so
 * that all of them ask again.
 */
export function openPool(
  { url }: DatabaseAddress,
  options: Options<Types>,
): postgres.Sql<{ number: number }> {
  const waiting = new Set<() => void>();
  const onclose = (): void => {
    // Once the package has begun to connect again.
    for (const askAgain of waiting) queueMicrotask(askAgain);
  };
  const pool = postgres(url, { ...options, onclose });
  const reserve = pool.reserve.bind(pool);
  pool.reserve = () => {
    const { promise, resolve, reject } = Promise.withResolvers<ReservedSql<{ number: number }>>();
    let isOver = false;
    const ask = (): void => {
      reserve().then(
        (connection) => {
          if (isOver) connection.release();
          else settle(() => resolve(connection));
        },
        (error: unknown) => settle(() => reject(error)),
      );
    };
    const settle = (how: () => void): void => {
      isOver = true;
      waiting.delete(ask);
      how();
    };
    waiting.add(ask);
    ask();
    return promise;
  };
  return pool;
}
