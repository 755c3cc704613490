// API keys must never appear in a log, in a report or on the screen. All masking is here: redact() for what is logged, reported or shown,
// and maskKeys() for what a person wrote and gets back, such as an input, where only keys may change.

/** Removes secrets from a text. A text without any is returned as it is. */
export type Hide = (text: string) => string;

/** Whatever follows is a token, however short. */
const bearerHeader = /(\bAuthorization(?:\s+header)?\W{1,10}Bearer\s+)[^\s"',;]+/gi;
/** In other text it may be the word: "the bearer of the card". */
const bearer = /(\bBearer\s+)([\w.~+/=-]{16,})/gi;
/** Words of one case, also capitalized ones, with signs between them. A token of random letters or digits doesn't match. */
const plainWords = /^[.~+/=_-]*(?:(?:[A-Z]?[a-z]{1,24}|[A-Z]{1,24})(?:[.~+/=_-]+|$))+$/;
/** Whatever is before it: in a text that was escaped or joined, a key may follow any letter. */
const prefixedKey = /(?<=[A-Za-z0-9])(_sk_[A-Za-z0-9_-]{4})[A-Za-z0-9_-]+/g;

/** Characters that can't be seen, other than white space. One of them inside a key hides the key from an expression, but not from a reader. */
const invisible = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Masked as well, whatever prefix the setting names. */
const standardPrefix = 'svc_sk_';

/** The replacement of a secret that has no prefix to show. */
const redacted = '[redacted key]';

/**
 * Secrets that have no prefix to recognize them by, for as long as the process lives: one that was replaced may still be valid. A text can
 * be logged, stored or shown anywhere, so they aren't passed from caller to callee, where one could be missed.
 */
const hiddenValues = new Set<string>();
/** A shorter one could be a word of any text. */
const minimumHidden = 8;
/** The number of a secret's characters that are enough to recognize it. */
const longestBeginning = 20;
/** Many tokens begin with the same one. */
const jwtHeader = /^eyJ[\w-]*\./;

/** True for a text with a signed web token in it, which services without a prefix of their own have as keys. */
export function hasWebToken(text: string): boolean {
  return /eyJ[\w-]{10,}\./.test(text);
}

/** Also masks this value from now on, wherever it occurs. */
export function registerSecretForMasking(secret: string): void {
  if (secret.length >= minimumHidden) hiddenValues.add(secret);
}

/** Returns a key in the form that may be shown: its prefix, four more characters and an ellipsis. */
export function maskKey(key: string, prefix: string): string {
  const shown = key.startsWith(prefix) ? key.slice(0, prefix.length + 4) : key.slice(0, 4);
  return `${shown}…`;
}

export interface RedactOptions {
  /** Removed wherever they occur, unless they are shorter than 8 characters; so are those passed to `registerSecretForMasking`. */
  readonly secrets?: Iterable<string>;
  /** The prefix of the keys of a service that chose its own. */
  readonly prefix?: string;
}

/**
 * Masks everything that looks like an API key or a bearer token, and the given secrets. Masking twice changes nothing. If a masked secret
 * contains invisible characters, the whole text loses those.
 */
export function redact(text: string, options: RedactOptions = {}): string {
  const masked = redactSeen(text, options);
  // Most text has no such character.
  if (!/[^\s -~]/.test(text)) return masked;
  const maskedSeen = redactSeen(text.replace(invisible, ''), options);
  return maskedSeen === masked.replace(invisible, '') ? masked : maskedSeen;
}

function redactSeen(text: string, { secrets = [], prefix = standardPrefix }: RedactOptions): string {
  let result = text;
  for (const secret of [...hiddenValues, ...secrets])
    if (secret.length >= minimumHidden)
      result = hideBeginnings(result.replaceAll(secret, redacted), secret, prefix);
  // Most text has none of it, and these checks are far cheaper than the expressions.
  if (/bearer/i.test(result))
    result = result
      .replace(bearerHeader, '$1[redacted]')
      .replace(bearer, (found, word: string, token: string) =>
        plainWords.test(token) ? found : `${word}[redacted]`,
      );
  if (result.includes('_sk_')) result = result.replace(prefixedKey, '$1…');
  return prefix === standardPrefix ? result : maskKeys(result, prefix);
}

/** Also masks what is left of a secret in a text that was cut inside it. */
function hideBeginnings(text: string, secret: string, prefix: string): string {
  const isOf = (each: string): boolean => each !== '' && secret.startsWith(each);
  const { length: known } = jwtHeader.exec(secret)?.[0] ?? [prefix, standardPrefix].find(isOf) ?? '';
  const ofSecret = Math.ceil((secret.length - known) / 4);
  const least = known + Math.min(longestBeginning, Math.max(minimumHidden, ofSecret));
  const beginning = secret.slice(0, least);
  let result = text;
  for (let at = result.indexOf(beginning); at !== -1; at = result.indexOf(beginning, at)) {
    let end = at + least;
    while (end < result.length && result[end] === secret[end - at]) end += 1;
    result = result.slice(0, at) + redacted + result.slice(end);
    at += redacted.length;
  }
  return result;
}

function hideValues(text: string): string {
  let result = text;
  for (const value of hiddenValues) result = result.replaceAll(value, redacted);
  return result;
}

/** Masks texts, and knows whether there was anything to mask. */
export class KeyMask {
  readonly #prefix: string;
  #hasMasked = false;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get hasMasked(): boolean {
    return this.#hasMasked;
  }

  readonly hide: Hide = (text) => {
    const masked = redact(text, { prefix: this.#prefix });
    if (masked !== text) this.#hasMasked = true;
    return masked;
  };
}

/** A place in a text, in UTF-16 units. */
export interface FoundKey {
  readonly offset: number;
  readonly length: number;
}

/** A text with more keys is a list of samples or a minified file, so the first ones are enough. */
const maximumFound = 100;

/**
 * Finds the prefix followed by at least 16 key characters, except inside a longer word, and the values passed to
 * `registerSecretForMasking`. Runs on every opened text. Returns at most 100 places, in order.
 */
export function findKeys(text: string, prefix: string): readonly FoundKey[] {
  const values = [...hiddenValues].filter((value) => text.includes(value)).map(escapeExpression);
  // Most texts contain no key, and a plain search is far cheaper than the expression.
  const sources = prefix === '' || !text.includes(prefix) ? values : [...values, keySource(prefix)];
  if (sources.length === 0) return [];
  const found: FoundKey[] = [];
  for (const match of text.matchAll(new RegExp(sources.join('|'), 'g'))) {
    found.push({ offset: match.index, length: match[0].length });
    if (found.length === maximumFound) break;
  }
  return found;
}

/** Returns the text with every key shortened to its prefix and four characters. */
export function maskKeys(text: string, prefix: string): string {
  let masked = hideValues(text);
  for (const each of new Set([prefix, standardPrefix]))
    if (each !== '' && masked.includes(each))
      masked = masked.replace(new RegExp(keySource(each), 'g'), (key) => maskKey(key, each));
  return masked;
}

/** True if the text contains a key that `maskKeys` masked. */
export function hasMaskedKeys(text: string, prefix: string): boolean {
  return (
    text.includes(redacted) ||
    [prefix, standardPrefix].some(
      (each) => each !== '' && new RegExp(`${escapeExpression(each)}[A-Za-z0-9_-]{4}…`).test(text),
    )
  );
}

/** A letter before a key makes it part of a longer word, unless the letter ends an escape such as \\n. */
function keySource(prefix: string): string {
  const before = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\(?:[bfnrt]|u[0-9A-Fa-f]{4})))`;
  return `${before}${escapeExpression(prefix)}[A-Za-z0-9_-]{16,}`;
}

/** Returns what matches the text itself in a regular expression. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
