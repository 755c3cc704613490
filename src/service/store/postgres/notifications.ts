// Notifies the other processes on the database of topics that have news, and is notified by them. A notification says only "look again".
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { Pulse } from '../../../base/pulse.ts';
import { systemClock } from '../../../base/time.ts';
import { isTopic, type Topic, type Topics } from '../topics.ts';
import { StorageError } from '../storageError.ts';
import type { DatabaseAddress } from './address.ts';
import { connectionOptions } from './pool.ts';
import { toPostgresError } from './postgresError.ts';

const channel = 'workflow_automation';
/**
 * News is collected for this time, and longer soon after other news: a notification makes all commits of the database wait for each other,
 * and each process reads it.
 */
const collectingMs = 10;
const pauseMs = 50;
/** PostgreSQL takes up to 7,999 bytes. */
const maximumCharacters = 7000;
/** How often to look for changes whose notification was lost. */
const lookingMs = 2000;

const Message = v.object({
  sender: v.string(),
  topics: v.array(v.custom<Topic>(isTopic)),
});

export interface NotificationsOptions {
  readonly address: DatabaseAddress;
  readonly topics: Topics;
  readonly pool: postgres.Sql;
  readonly logger: Logger;
}

export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #sender = randomUUID();
  readonly #unsent = new Set<Topic>();
  readonly #looking: NodeJS.Timeout;
  readonly #sending = new Pulse(systemClock, () => void this.#sendNow(), {
    first: collectingMs,
    pause: pauseMs,
  });
  #listener: postgres.Sql | undefined;
  /** What had been committed at the last look. */
  #committed: string | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.#listen();
    this.#looking = setInterval(() => {
      if (!this.#listener) this.#listen();
      void this.#look();
    }, lookingMs);
    this.#looking.unref();
  }

  /** Notifies the other processes soon. */
  send(topics: Iterable<Topic>): void {
    for (const topic of topics) this.#unsent.add(topic);
    if (this.#unsent.size > 0) this.#sending.ask();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    this.#sending.dispose();
    await this.#sendNow();
    await this.#listener?.end({ timeout: 1 });
  }

  async #sendNow(): Promise<void> {
    const { pool, logger } = this.#options;
    try {
      for (const payload of this.#takePayloads())
        await pool.unsafe('SELECT pg_notify($1, $2)', [channel, payload], { prepare: true });
    } catch (error) {
      // The others look by themselves.
      logger.debug(`A notification could not be sent: ${String(error)}`);
    }
  }

  #takePayloads(): string[] {
    const parts: Topic[][] = [];
    let size = maximumCharacters;
    for (const topic of this.#unsent) {
      if (size + topic.length > maximumCharacters) {
        parts.push([]);
        size = 0;
      }
      parts.at(-1)?.push(topic);
      size += topic.length + 3;
    }
    this.#unsent.clear();
    return parts.map((topics) => stringifyJson({ sender: this.#sender, topics }));
  }

  /** Makes all listeners look if the database has committed anything since the last time. */
  async #look(): Promise<void> {
    const { pool, topics } = this.#options;
    try {
      const [row] = await pool<
        { committed: string }[]
      >`SELECT CAST(pg_current_snapshot() AS TEXT) AS committed`;
      if (row?.committed === this.#committed) return;
      this.#committed = row?.committed;
      topics.fireAll();
    } catch {
      // Nothing can be read now. All look once this process listens again.
    }
  }

  /** Listens on a connection of its own; once that closes, the next look tries again. */
  #listen(): void {
    const { address, topics } = this.#options;
    const lose = (error: unknown): void => {
      if (this.#listener === listener) this.#listener = undefined;
      this.#noteAway(error);
    };
    const options = {
      ...connectionOptions(1),
      onnotify: (_: string, payload: string) => this.#hear(payload),
      onclose: () => lose(new StorageError('unreachable', { database: address.name })),
    };
    const listener = postgres(address.url, options);
    this.#listener = listener;
    listener.unsafe(`LISTEN ${channel}`).then(
      () => {
        this.#noteBack();
        // Earlier notifications can't be received any more.
        topics.fireAll();
      },
      (error: unknown) => {
        lose(toPostgresError(error, address));
        void listener.end({ timeout: 0 });
      },
    );
  }

  /** Logs once that the database is away. */
  #noteAway(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#options.logger.error("Notifications of other processes can't be received.", error);
  }

  #noteBack(): void {
    if (this.#isAway) this.#options.logger.info(`The database ${this.#options.address.name} responds again.`);
    this.#isAway = false;
  }

  #hear(payload: string): void {
    const message = v.safeParse(Message, parseJson(payload));
    if (!message.success || message.output.sender === this.#sender) return;
    for (const topic of message.output.topics) this.#options.topics.fire(topic);
  }
}
