// The VS Code server writes every log and output channel through a native module; this stands in where no compiler can build it.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

export const version = 1;
export const setLevel = () => undefined;
export const setFlushOn = () => undefined;

const two = (number, digits = 2) => String(number).padStart(digits, '0');

/** The one pattern that VS Code sets: "%Y-%m-%d %H:%M:%S.%e [%l] %v". */
function format(level, message) {
  const now = new Date();
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
  return `${day} ${time}.${two(now.getMilliseconds(), 3)} [${names[level]}] ${message}\n`;
}

/** Appends to its file at once; files are not rotated, since a run's folder lives no longer than the run. */
export class Logger {
  #file;
  #level = 2;
  #isFormatted = true;

  constructor(_type, _name, path) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a');
  }

  #write(level, message) {
    if (this.#file === undefined || level < this.#level) return;
    writeSync(this.#file, this.#isFormatted ? format(level, message) : message);
  }

  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#isFormatted = true;
  }
  clearFormatters() {
    this.#isFormatted = false;
  }
  // Every write has reached the file already.
  flush() {
    return undefined;
  }
  drop() {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

export async function createRotatingLogger(name, path) {
  return new Logger('rotating', name, path);
}
export async function createAsyncRotatingLogger(name, path) {
  return new Logger('rotating_async', name, path);
}
