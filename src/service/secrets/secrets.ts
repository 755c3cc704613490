// The secrets of HTTP request nodes: their values for the nodes that use them, and the mask for everything else.
import { unlessAborted } from '../../base/async.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { combine, type Disposable, toDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { steadyNow } from '../../base/time.ts';
import type { SecretJson, SetSecretJson } from '../../protocol/records.ts';
import { NodeError } from '../errors.ts';
import { type StoredSecret, toSecretJson } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { Masking } from './masking.ts';
import { SecretMask } from './secretMask.ts';
import { SecretsKey } from './secretsKey.ts';
import { findValueRisk, type ValueRisk } from '../../domain/secret.ts';

/** The limits of what one service stores. All of it is in memory while the service runs. */
const maximumSecrets = 1000;
const maximumTotalBytes = 1024 * 1024;
/** Values that were replaced or deleted can still occur in responses: this many of the last ones stay masked. */
const maximumFormer = 200;
/** The templates whose secrets are remembered, and how long each may be, in UTF-16 units. */
const knownTemplates = { count: 500, length: 4000 } as const;
/** How old the mask may be in a process that isn't notified of changes, such as those of a command beside a local service. */
const freshMs = 1000;
/** How long nodes wait for a window to hand over the key. */
const longestHandOverMs = 30_000;

/** The keys that secrets can be read with. */
export interface SecretsKeys {
  /** Encrypts; undefined without a key. */
  readonly current: SecretsKey | undefined;
  /** Only decrypt, until all secrets are encrypted with the current one. */
  readonly old: readonly SecretsKey[];
}

/** `fromWindow`: a window hands over the key. */
export type KeySource = SecretsKeys | 'fromWindow';

export const noKeys: SecretsKeys = { current: undefined, old: [] };

/** The parts of a secret that a node uses. */
export interface UsableSecret {
  readonly name: string;
  readonly value: string;
  /** The only origins that it may be sent to; none for any. */
  readonly origins: readonly string[];
}

type SecretsErrorCode =
  | 'secrets_key_missing'
  | 'secrets_key_differs'
  | 'secrets_unreadable'
  | 'secret_invalid'
  | 'secret_not_found'
  | 'too_many_secrets';

/** A change of a secret was refused; the message is for people. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
  readonly code: SecretsErrorCode;

  constructor(code: SecretsErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface SecretsOptions {
  readonly store: Pick<Store, 'secrets' | 'subscribe' | 'announce'>;
  /** Default: none. */
  readonly keys?: KeySource | undefined;
  /** Learns the values; default: a new one. */
  readonly mask?: SecretMask | undefined;
  readonly logger: Logger;
}

export class Secrets implements Disposable {
  /** Masks what is kept and sent. */
  readonly masking: Masking;
  readonly #store: SecretsOptions['store'];
  readonly #logger: Logger;
  readonly #owned: Disposable;
  /** Resolves when it's known which keys there are. */
  readonly #isReady: Promise<undefined>;
  readonly #setReady: () => void;
  #keys: SecretsKeys;
  /** By name; undefined for one whose value can't be read. */
  #usable: ReadonlyMap<string, UsableSecret | undefined> = new Map();
  #revisions: ReadonlyMap<string, string> = new Map();
  #former: readonly string[] = [];
  /** Whether no window hands over the key any more. */
  #isSettled = false;
  /** The names that the log has reported as unreadable. */
  #reportedProblem = '';
  /** The names of the secrets by the templates that read them. */
  readonly #names = new BoundedMap<string, readonly string[]>(knownTemplates.count);
  #look: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;
  #lookedAt = -Infinity;
  /** How many changes were announced. */
  #news = 0;

  constructor({ store, keys = noKeys, mask = new SecretMask(), logger }: SecretsOptions) {
    this.#store = store;
    this.masking = new Masking(mask, logger);
    this.#logger = logger;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#isReady = promise;
    this.#setReady = () => {
      this.#isSettled = true;
      resolve(undefined);
    };
    this.#keys = keys === 'fromWindow' ? noKeys : keys;
    if (keys !== 'fromWindow') this.#setReady();
    const timer = setTimeout(this.#setReady, longestHandOverMs).unref();
    const news = store.subscribe('secrets', () => {
      this.#news += 1;
      this.#lookedAt = -Infinity;
    });
    this.#owned = combine(
      news,
      this.masking,
      toDisposable(() => clearTimeout(timer)),
    );
  }

  /** Ordered by name. Needs no key, but without one it doesn't say which can't be read. */
  async list(): Promise<readonly SecretJson[]> {
    await this.#lookAgain();
    const { current } = this.#keys;
    return (await this.#store.secrets.list()).map((secret) => ({
      ...toSecretJson(secret),
      ...(current && this.#usable.get(secret.name) === undefined && { isUnreadable: true as const }),
    }));
  }

  /** `name` and `value` are valid. `origins`: in their one form; none for any. Rejects with a SecretsError. */
  async set(name: string, value: string, origins: readonly string[] = []): Promise<SetSecretJson> {
    await this.#isReady;
    const { current } = this.#keys;
    if (!current) throw keyMissing();
    await this.#lookAgain();
    const others = [...this.#usable].filter(([other]) => other !== name);
    const bytes = others.reduce((sum, [, other]) => sum + Buffer.byteLength(other?.value ?? ''), 0);
    if (others.length >= maximumSecrets || bytes + Buffer.byteLength(value) > maximumTotalBytes)
      throw new SecretsError(
        'too_many_secrets',
        `At most ${maximumSecrets} secrets with 1 MiB in total can be stored. Delete some that no workflow uses.`,
      );
    const [first] = await this.#store.secrets.list();
    const encrypted = await current.encrypt(
      name,
      { value, origins: [...new Set(origins)] },
      first?.salt ?? SecretsKey.createSalt(),
    );
    const secret = await this.#store.secrets.set(name, encrypted);
    await this.#lookAgain();
    const warnings = warningsOf({ name, value, origins });
    return { ...secret, ...(warnings.length > 0 && { warnings }) };
  }

  /** Returns false when there's none of this name. */
  async delete(name: string): Promise<boolean> {
    const isDeleted = await this.#store.secrets.delete(name);
    await this.#lookAgain();
    return isDeleted;
  }

  /** Encrypts all with the current key, and returns them. Rejects with a SecretsError, and changes nothing, when one can't be read. */
  async rotate(): Promise<readonly SecretJson[]> {
    const keys = this.#keys;
    const { current } = keys;
    if (!current) throw keyMissing();
    const salt = SecretsKey.createSalt();
    const secrets = await this.#store.secrets.list();
    const opened = await Promise.all(
      secrets.map(async (secret) => ({ secret, value: await open(secret, keys) })),
    );
    const unreadable = opened.flatMap(({ secret, value }) => (value === undefined ? [secret.name] : []));
    if (unreadable.length > 0)
      throw new SecretsError(
        'secrets_unreadable',
        `These secrets were encrypted with a key that wasn't given: ${unreadable.join(', ')}. Give that key as the old one, or delete them.`,
      );
    await this.#store.secrets.replace(
      await Promise.all(
        opened.map(async ({ secret, value = '' }) => ({
          ...secret,
          ...(await current.encrypt(secret.name, { value, origins: secret.origins }, salt)),
        })),
      ),
    );
    return secrets.map(toSecretJson);
  }

  /** Returns the names of the secrets that templates read, which loops and later executions read again. `templates`: as JSON. */
  async namesIn(templates: string, find: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const known = this.#names.get(templates);
    if (known) return known;
    const names = await find();
    if (templates.length <= knownTemplates.length) this.#names.set(templates, names);
    return names;
  }

  /** Returns the secrets that a node uses. Rejects with a NodeError when one is missing, or with the signal's reason. */
  async read(names: readonly string[], signal: AbortSignal): Promise<readonly UsableSecret[]> {
    await unlessAborted(this.#isReady, signal);
    await this.#lookAgain();
    return names.map((name) => this.#get(name));
  }

  /** Takes the key that a window hands over. Throws a SecretsError when there's another one already. */
  giveKey(text: string): void {
    const key = new SecretsKey(text);
    const { current } = this.#keys;
    if (current && !current.equals(key))
      throw new SecretsError('secrets_key_differs', 'The service already has another key for its secrets.');
    this.#setReady();
    if (current) return;
    this.#keys = { current: key, old: [] };
    this.#revisions = new Map();
    this.#store.announce('secrets');
  }

  /** Whether each stored secret can be read. Looks only after the call. */
  async areReadable(): Promise<boolean> {
    await this.#lookAgain();
    this.#reportUnreadable();
    return this.#unreadable.length === 0;
  }

  /**
   * Returns, as a sentence, what keeps this process from the executions that read secrets; undefined when nothing does, or a window will
   * hand over the key.
   */
  async findProblem(): Promise<string | undefined> {
    await this.refreshIfStale();
    this.#reportUnreadable();
    if (!this.#isSettled || this.#unreadable.length === 0) return undefined;
    return this.#keys.current
      ? "Stored secrets can't be read with the key that this process has, so executions that use secrets wait. Start it with the key that they were encrypted with, or set them again."
      : 'This process was started without the key for the stored secrets, so executions that use secrets wait. Start it with the key that they were encrypted with, or delete them.';
  }

  /** Updates the mask unless it's at most a second old. */
  async refreshIfStale(): Promise<void> {
    if (steadyNow() - this.#lookedAt > freshMs) await this.#lookAgain();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #get(name: string): UsableSecret {
    const secret = this.#usable.get(name);
    if (secret !== undefined) return secret;
    throw new NodeError('secret_missing', `Nothing was sent: ${this.#whyMissing(name)}`);
  }

  #whyMissing(name: string): string {
    if (!this.#usable.has(name)) return `the secret "${name}" isn't set.`;
    return this.#keys.current
      ? `the secret "${name}" was encrypted with another key. Set it again.`
      : `the service was started without the key for its secrets, so it can't read "${name}".`;
  }

  /** Looks only after the call. Calls in the meantime share it. */
  #lookAgain(): Promise<void> {
    this.#nextLook ??= this.#look
      .catch(() => undefined)
      .then(() => {
        this.#nextLook = undefined;
        this.#look = this.#readChanges();
        return this.#look;
      });
    return this.#nextLook;
  }

  async #readChanges(): Promise<void> {
    const lookedAt = steadyNow();
    const news = this.#news;
    const revisions = await this.#store.secrets.listRevisions();
    if (!isSame(revisions, this.#revisions)) await this.#readValues();
    // A change that was announced meanwhile may not have been read.
    if (news === this.#news) this.#lookedAt = lookedAt;
  }

  async #readValues(): Promise<void> {
    const keys = this.#keys;
    const secrets = await this.#store.secrets.list();
    const usable = new Map<string, UsableSecret | undefined>();
    for (const secret of secrets) {
      const isKnown = this.#revisions.get(secret.name) === secret.revision;
      usable.set(secret.name, isKnown ? this.#usable.get(secret.name) : await toUsable(secret, keys));
    }
    // A key that has arrived meanwhile may read more.
    if (keys !== this.#keys) return this.#readValues();
    this.#forget(usable);
    this.#usable = usable;
    this.#revisions = new Map(secrets.map(({ name, revision }) => [name, revision]));
    this.masking.update([...this.#former, ...[...usable.values()].flatMap((secret) => secret?.value ?? [])]);
    if (keys.current || this.#reportedProblem !== '') this.#reportUnreadable();
  }

  get #unreadable(): readonly string[] {
    return [...this.#usable].flatMap(([name, secret]) => (secret === undefined ? [name] : []));
  }

  /** Logs when secrets can't be read, and when they can again. */
  #reportUnreadable(): void {
    const names = this.#unreadable.join(', ');
    if (!this.#isSettled || names === this.#reportedProblem) return;
    this.#reportedProblem = names;
    if (names === '') this.#logger.info('All stored secrets can be read again.');
    else
      this.#logger.warn(
        this.#keys.current
          ? `These secrets can't be read with the key that the service has: ${names}. Executions that use secrets wait. Start it with the key that they were encrypted with, or set them again.`
          : `The service was started without the key for its secrets: ${names}. Executions that use secrets wait. Start it with the key that they were encrypted with, or delete them.`,
      );
  }

  #forget(usable: ReadonlyMap<string, UsableSecret | undefined>): void {
    const gone = [...this.#usable].flatMap(([name, secret]) =>
      secret !== undefined && usable.get(name)?.value !== secret.value ? [secret.value] : [],
    );
    this.#former = [...this.#former, ...gone].slice(-maximumFormer);
  }
}

async function toUsable(secret: StoredSecret, keys: SecretsKeys): Promise<UsableSecret | undefined> {
  const value = await open(secret, keys);
  return value === undefined ? undefined : { name: secret.name, value, origins: secret.origins };
}

/** Returns undefined when none of the keys can read it. */
async function open(
  { name, ...secret }: StoredSecret,
  { current, old }: SecretsKeys,
): Promise<string | undefined> {
  for (const key of current ? [current, ...old] : old) {
    const value = await key.decrypt(name, secret);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, revision]) => other.get(name) === revision);
}

function keyMissing(): SecretsError {
  return new SecretsError(
    'secrets_key_missing',
    'The service has no key to encrypt secrets with. Give it one of 32 characters or more in WORKFLOW_SECRETS_KEY, or in a file with --secrets-key-file.',
  );
}

const looks: Readonly<Record<ValueRisk, string>> = {
  number: 'looks like a number',
  date: 'looks like a date',
  word: 'looks like an ordinary word',
  json: 'looks like a piece of JSON',
  short: 'has fewer than 12 characters',
};

/** One sentence for each; none of them contains the value. */
function warningsOf({ name, value, origins }: UsableSecret): readonly string[] {
  const risk = findValueRisk(value);
  const chance =
    risk &&
    `The value of ${name} ${looks[risk]}, so it can also occur in ordinary text, where it's hidden too. Use a longer one if you can.`;
  const anywhere =
    origins.length === 0
      ? `${name} may be sent to any server that a workflow names. To allow only some, set it again with their origins, such as https://api.example.com.`
      : undefined;
  return [chance, anywhere].filter((words) => words !== undefined);
}
