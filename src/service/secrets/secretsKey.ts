// Encrypts secrets with AES-256-GCM. The key is derived from a text that isn't stored with the secrets.
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { EncryptedSecret } from '../store/secrets.ts';

export const minimumKeyCharacters = 32;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** About 50 ms of one core, once per salt: a text that a person has chosen isn't found by trying. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;

const derive = promisify<string, string, number, typeof cost, Buffer>(scrypt);

interface Derived {
  readonly key: Buffer;
  /** Identifies the key that encrypted a secret, and reveals nothing about it. */
  readonly id: string;
}

export class SecretsKey {
  readonly #text: string;
  /** By salt. */
  readonly #derived = new Map<string, Promise<Derived>>();

  /** `text`: at least 32 characters. */
  constructor(text: string) {
    this.#text = text;
  }

  static createSalt(): string {
    return randomBytes(16).toString('base64url');
  }

  /** True for a key of the same text. */
  equals(other: SecretsKey): boolean {
    return hash(this.#text).equals(hash(other.#text));
  }

  async encrypt(
    name: string,
    { value, origins = [] }: { readonly value: string; readonly origins?: readonly string[] },
    salt: string,
  ): Promise<EncryptedSecret> {
    const { key, id } = await this.#derive(salt);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(authenticated(name, origins));
    const encrypted = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    const stored = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    return { salt, keyId: id, value: stored, origins };
  }

  /** Returns undefined when another key encrypted it, or the stored form was changed. */
  async decrypt(name: string, { salt, keyId, value, origins }: EncryptedSecret): Promise<string | undefined> {
    const { key, id } = await this.#derive(salt);
    if (id !== keyId) return undefined;
    const stored = Buffer.from(value, 'base64url');
    try {
      const decipher = createDecipheriv(algorithm, key, stored.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(authenticated(name, origins));
      decipher.setAuthTag(stored.subarray(nonceBytes, nonceBytes + tagBytes));
      const encrypted = stored.subarray(nonceBytes + tagBytes);
      return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  #derive(salt: string): Promise<Derived> {
    let derived = this.#derived.get(salt);
    if (derived === undefined) {
      derived = derive(this.#text, salt, 64, cost).then((bytes) => ({
        key: bytes.subarray(0, 32),
        id: hash(bytes.subarray(32)).toString('base64url').slice(0, 16),
      }));
      this.#derived.set(salt, derived);
    }
    return derived;
  }
}

/** A value can't be moved to another name, nor be sent to other origins. Neither contains a space. */
function authenticated(name: string, origins: readonly string[]): Buffer {
  return Buffer.from([name, ...origins].join(' '));
}

function hash(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}
