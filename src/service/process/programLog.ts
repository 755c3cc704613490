// What the program writes to stderr: lines for people, or a JSON object per line for a service whose log a team collects. It contains no
// secret.
import { stringifyJson } from '../../base/json.ts';
import type { LogFields, Logger } from '../../base/logger.ts';
import { truncateForLog, reasonOf } from '../../base/reason.ts';
import { redact } from '../../base/masking.ts';
import type { SecretMask } from '../secrets/secretMask.ts';
import { type Now, toTimestamp } from '../../base/time.ts';

/** Removes secrets from a text, and truncates it if it's too long for a log. */
export type MaskText = (text: string) => string;

/** In UTF-16 units; what follows isn't logged. */
const longestSearched = 64 * 1024;

/** Removes API keys, the values of secrets, the passwords of the program's database URLs, and what looks like a URL with a password. */
export function createMaskText(words: Iterable<string | undefined>, mask: SecretMask): MaskText {
  const secrets = [...new Set([...words].flatMap((word) => secretsIn(word ?? '')))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    let result = mask.text(text.slice(0, longestSearched));
    for (const secret of secrets) result = result.replaceAll(secret, '[redacted]');
    const length = text.length > longestSearched ? text.length : result.length;
    return redact(truncateForLog(result, length)).replace(
      /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/:]*:\S*@/gi,
      '$1[redacted]@',
    );
  };
}

/** Shorter ones are parts of too many words. */
const shortestPassword = 4;

function secretsIn(word: string): string[] {
  const url = /[a-z][a-z0-9+.-]*:\/\/.*$/is.exec(word)?.[0] ?? '';
  if (url === '' || /^https?:[^@]*$/i.test(url)) return [];
  if (!URL.canParse(url)) return [url];
  const { username, password, searchParams } = new URL(url);
  const passwords = [password, decode(password), searchParams.get('password') ?? ''];
  return [
    url,
    ...passwords.filter((secret) => secret.length >= shortestPassword && secret !== decode(username)),
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type WriteLine = (line: string) => void;

/** Writes each message as a sentence. */
export function createPlainLog(write: WriteLine, hide: MaskText): Logger {
  const say = (text: string): void => write(hide(text));
  return {
    debug: () => undefined,
    info: (message) => say(message),
    warn: (message) => say(message),
    error: (message, cause) => say(cause === undefined ? message : `${message} ${reasonOf(cause)}`),
  };
}

type Level = 'info' | 'warn' | 'error';

/** Writes each message as a JSON object, with its fields beside it. */
export function createJsonLog(write: WriteLine, hide: MaskText, now: Now): Logger {
  const say = (level: Level, message: string, fields: LogFields = {}, cause?: unknown): void => {
    // Masked before it becomes JSON, which writes some characters in another way.
    const shown = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? hide(value) : value]),
    );
    const reason = cause === undefined ? undefined : hide(reasonOf(cause));
    write(stringifyJson({ time: toTimestamp(now()), level, message: hide(message), ...shown, reason }));
  };
  return {
    debug: () => undefined,
    info: (message, fields) => say('info', message, fields),
    warn: (message, fields) => say('warn', message, fields),
    error: (message, cause, fields) => say('error', message, fields, cause),
  };
}

/** The log level for what libraries print. */
const levelOf = {
  error: 'error',
  warn: 'warn',
  info: 'debug',
  log: 'debug',
  debug: 'debug',
  trace: 'debug',
  dir: 'debug',
  dirxml: 'debug',
} as const;

/**
 * Sends what libraries print to the log, whatever it is: stdout is for the program's own results, and stderr must show no secrets. The
 * package openworkflow reports its failures this way, as words and an error; @hono/node-server as an error alone.
 */
export function reportConsole(logger: Logger, target: object = console): void {
  for (const [name, level] of Object.entries(levelOf))
    Reflect.set(target, name, (...printed: readonly unknown[]): void => {
      // The other arguments of `dir` say how to print.
      const shown = name === 'dir' ? printed.slice(0, 1) : printed;
      const at = shown.findIndex((each) => typeof each !== 'string');
      const words = shown.filter((_each, index) => index !== at).map(reasonOf);
      const message = words.join(' ') || 'A library reports:';
      if (level === 'error') logger.error(message, shown[at]);
      else logger[level](at === -1 ? message : `${message} ${reasonOf(shown[at])}`);
    });
}
