/** What a line of a log names apart from its words, so that it can be searched; a log for people leaves it out. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** The extension's own log, not the node logs. Messages are plain text; keys are redacted by the sink. */
export interface Logger {
  debug(message: string): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, cause?: unknown, fields?: LogFields): void;
}

/** For callers that have no log. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
