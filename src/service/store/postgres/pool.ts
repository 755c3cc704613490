import postgres, { type Options, type PostgresType, type ReservedSql } from 'postgres';
import { knownLevel } from '../needs.ts';
import type { DatabaseAddress } from './address.ts';

/** The SQL of the store names no schema. */
export const storeSchema = 'workflow_automation';

/** No statement of the service takes longer, except migrations. */
const statementTimeoutMs = 30_000;

/**
 * The settings that the SQL of the store relies on: a database or a user can have others. 0 is a text, because the
 * postgres package drops falsy values.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  // Reports the level that this process knows to other processes; without a number, it knows no needs.
  application_name: `workflow-automation/${knownLevel}`,
  default_transaction_isolation: 'read committed',
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
  extra_float_digits: '1',
  // Connections of a pool, and the listening one, are idle for long.
  idle_session_timeout: '0',
};

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
      ...sessionSettings,
      search_path: storeSchema,
      statement_timeout: statementTimeoutMs,
      lock_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    },
  };
}

/** How long statements on the other connections of a client may take once one of them was lost. */
const lostStatementSeconds = statementTimeoutMs / 1000;

/** How many connections of a pool are for transactions; as many are for single statements. */
export function reservableOf(poolSize: number): number {
  return Math.ceil(poolSize / 2);
}

/**
 * Opens a pool whose `reserve` always settles, and whose reserved connections refuse statements after they were lost. The `reserve` of the
 * postgres package does neither: it forgets some waiting callers when a connection is lost, and a statement on a lost connection never
 * settles, or throws where nobody can catch it. So half of the connections are reserved here, each with a client of its own. The loss of a
 * connection releases it. After `end`, all waiting and later calls are refused with the code CONNECTION_ENDED.
 */
export function openPool(
  { url }: DatabaseAddress,
  options: Options<Types>,
): postgres.Sql<{ number: number }> {
  const size = reservableOf(options.max ?? 1);
  // A client can't send any more on the connection that follows a lost one, if a statement was waiting to be sent when that was lost.
  const openShared = (): postgres.Sql<{ number: number }> => {
    const onclose = (): void => {
      if (isEnded || client !== shared) return;
      shared = openShared();
      void client.end({ timeout: lostStatementSeconds });
    };
    const client = postgres(url, { ...options, max: size, onclose });
    return client;
  };
  let isEnded = false;
  let shared = openShared();
  const reservable = Array.from({ length: size }, () => new ReservableConnection(url, options));
  const free = [...reservable];
  const waiting: PromiseWithResolvers<ReservableConnection>[] = [];

  const next = (): Promise<ReservableConnection> => {
    const connection = free.pop();
    if (connection) return Promise.resolve(connection);
    const wait = Promise.withResolvers<ReservableConnection>();
    waiting.push(wait);
    return wait.promise;
  };
  const reserve = async (): Promise<ReservedSql<{ number: number }>> => {
    if (isEnded) throw ended();
    const connection = await next();
    return connection.reserve(() => {
      const wait = waiting.shift();
      if (wait) wait.resolve(connection);
      else free.push(connection);
    });
  };
  const end: (typeof shared)['end'] = async (how) => {
    isEnded = true;
    for (const wait of waiting.splice(0)) wait.reject(ended());
    await Promise.all([shared.end(how), ...reservable.map((connection) => connection.end(how))]);
  };
  return new Proxy(shared, {
    apply: (_target, self, parameters) => Reflect.apply(shared, self, parameters) as unknown,
    get: (_target, name) =>
      name === 'reserve' ? reserve : name === 'end' ? end : (Reflect.get(shared, name) as unknown),
  });
}

const ended = (): Error => connectionError('CONNECTION_ENDED', 'The service stops.');

/** An error with a code of the postgres package. */
function connectionError(code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED', message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** One connection. When it's lost, its client is replaced, because that would return the error of the last statement for the next one. */
class ReservableConnection {
  readonly #url: string;
  readonly #options: Options<Types>;
  #client: postgres.Sql<{ number: number }>;
  #isEnded = false;
  #onLoss: (() => void) | undefined;

  constructor(url: string, options: Options<Types>) {
    this.#url = url;
    // The package would end a connection by age in the middle of a transaction, as it doesn't know that it's reserved.
    this.#options = { ...options, max: 1, max_lifetime: null };
    this.#client = this.#open();
  }

  /**
   * Calls `onRelease` once, when it's released or the connection is lost. Statements sent after that throw an error with the code
   * CONNECTION_CLOSED.
   */
  reserve(onRelease: () => void): ReservedSql<{ number: number }> {
    const client = this.#client;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#onLoss = undefined;
      onRelease();
    };
    this.#onLoss = release;
    const check = (): void => {
      if (isReleased) throw connectionError('CONNECTION_CLOSED', 'The connection to the database was lost.');
    };
    const unsafe: typeof client.unsafe = (...parameters) => {
      check();
      return client.unsafe(...parameters);
    };
    return new Proxy(Object.assign(client, { release }), {
      apply: (target, self, parameters) => {
        check();
        return Reflect.apply(target, self, parameters) as unknown;
      },
      get: (target, name) =>
        name === 'unsafe' ? unsafe : name === 'release' ? release : (Reflect.get(target, name) as unknown),
    });
  }

  end(how?: { readonly timeout?: number | undefined }): Promise<void> {
    this.#isEnded = true;
    return this.#client.end(how);
  }

  #open(): postgres.Sql<{ number: number }> {
    const onclose = (): void => {
      if (client !== this.#client) return;
      if (!this.#isEnded) {
        this.#client = this.#open();
        void client.end({ timeout: 0 });
      }
      this.#onLoss?.();
    };
    const client = postgres(this.#url, { ...this.#options, onclose });
    return client;
  }
}
