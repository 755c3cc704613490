// A secret of the local service: a value that HTTP request nodes can use, and that nobody can read again.

/** What's known of a secret. */
export interface Secret {
  readonly name: string;
  readonly updatedAt: Date | null;
  /** Whether the service can't read the value any more, as it was encrypted with another key. */
  readonly isUnreadable: boolean;
}

/** In the place of a secret's value, and of what is made of it. */
export const hiddenValue = '***';

/** In UTF-8. */
export const maximumSecretBytes = 16_384;

/** `secrets.NAME` has to be an expression without quotation marks. */
export function isSecretName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text);
}

export type SecretValueFault = 'empty' | 'tooLong' | 'notText';

/** Returns what is wrong with a value; undefined if nothing is. */
export function findValueFault(value: string): SecretValueFault | undefined {
  if (value === '') return 'empty';
  // Such text has no bytes in UTF-8.
  if (/\p{Surrogate}/u.test(value)) return 'notText';
  return new TextEncoder().encode(value).length > maximumSecretBytes ? 'tooLong' : undefined;
}
