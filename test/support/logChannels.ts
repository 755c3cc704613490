// The editor's log channels, whose lines a test reads.
/** The lines of a log channel, in the order that they were written. */
export class LogChannel {
  readonly lines: string[] = [];
  readonly trace = (line: string): unknown => this.lines.push(line);
  readonly debug = (line: string): unknown => this.lines.push(line);
  readonly info = (line: string): unknown => this.lines.push(line);
  readonly warn = (line: string): unknown => this.lines.push(line);
  readonly error = (line: string): unknown => this.lines.push(line);
  readonly show = (): void => undefined;
  readonly dispose = (): void => undefined;
}

/** The log channels by their names, for a test to read. */
export const logChannels = new Map<string, LogChannel>();
