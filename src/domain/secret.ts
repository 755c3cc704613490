// A secret of the local service: a value that HTTP request nodes can use, and that nobody can read again.

/** What's known of a secret. */
export interface Secret {
  readonly name: string;
  readonly updatedAt: Date | null;
  /** The only origins that requests may send it to; none for any. */
  readonly origins: readonly string[];
  /** Whether the service can't read the value any more, as it was encrypted with another key. */
  readonly isUnreadable: boolean;
}

/** The replacement of a secret's value, and of what is built from it. */
export const hiddenValue = '***';

/** In UTF-8. */
export const maximumSecretBytes = 16_384;

/** Of one secret. */
export const maximumOrigins = 20;
const maximumOriginLength = 300;

/** Returns the origin in its one form, such as `https://api.example.com`; undefined if the text is anything else than an origin of http or https. */
export function readOrigin(text: string): string | undefined {
  const url = text.length > maximumOriginLength ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  // Hosts such as *.example.com are taken by the parser, and would match nothing.
  return url.href === `${url.origin}/` && /^[\w.:[\]-]+$/.test(url.host) ? url.origin : undefined;
}

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

/** Why a value also occurs in ordinary text, where it would be hidden by accident. */
export type ValueRisk = 'number' | 'date' | 'word' | 'json' | 'short';

const safeCharacters = 12;
const longestWord = 20;
/** A longer piece of JSON doesn't occur by accident. */
const longestJson = 64;

/** Returns why a value may occur in ordinary text by accident; undefined if nothing suggests it. */
export function findValueRisk(value: string): ValueRisk | undefined {
  const text = value.trim();
  if (/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ][\d:.+Z-]*)?$/.test(text)) return 'date';
  if (/^[+-]?\d[\d.,'_ ]*(?:e[+-]?\d+)?$/i.test(text)) return 'number';
  if (text.length <= longestWord && /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(text)) return 'word';
  if (text.length <= longestJson && looksLikeJson(text)) return 'json';
  return Array.from(value).length < safeCharacters ? 'short' : undefined;
}

/** A piece such as `false,` or `":{"id"`. */
function looksLikeJson(text: string): boolean {
  return /^(?:true|false|null)[\s,}\]]|["}\]]\s*[,:}\]]|[{[,:]\s*["{[]/.test(text);
}
