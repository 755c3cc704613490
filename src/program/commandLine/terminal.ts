// Where a command writes: its result on stdout, all else on stderr.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import * as l10n from '@vscode/l10n';
import { plainText } from '../../base/format.ts';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import { redact } from '../../base/masking.ts';
import { formats } from '../../words/formats.ts';
import { secondsUntil } from '../../words/time.ts';

export type Stream = Writable & { readonly isTTY?: boolean };
type Style = 'green' | 'red' | 'yellow' | 'dim';

export interface TerminalOptions {
  readonly output: Stream;
  readonly errors: Stream;
  /** Results are JSON. */
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** Makes text from outside harmless, line by line, and masks keys. */
function clean(text: string): string {
  return redact(text).split('\n').map(plainText).join('\n');
}

/** What JSON leaves as it is, though terminals may obey it. */
const control = /[\u007F-\u009F]/g;

const escapeInJson = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const toText = (value: JsonValue, indent?: number): string =>
  stringifyJson(value, indent).replaceAll(control, escapeInJson);

interface JsonList {
  readonly add: (item: JsonValue) => void;
  readonly end: () => void;
}

export class Terminal {
  readonly isJson: boolean;
  readonly #options: TerminalOptions;
  #hasSaidLimit = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.isJson = options.isJson;
  }

  /** The result for a person. */
  write(text: string): void {
    this.#options.output.write(`${clean(text)}\n`);
  }

  /** A result that is JSON for people too: as it is, since it's data. */
  writeJson(value: JsonValue): void {
    this.#options.output.write(`${toText(value, this.isJson ? undefined : 2)}\n`);
  }

  /** A list that is written item by item, as one value; nothing where results aren't JSON. A list that isn't ended is no JSON. */
  beginList(): JsonList {
    if (!this.isJson) return { add: () => undefined, end: () => undefined };
    const { output } = this.#options;
    let before = '[';
    return {
      add: (item) => {
        output.write(`${before}${toText(item)}`);
        before = ',';
      },
      end: () => output.write(before === '[' ? '[]\n' : ']\n'),
    };
  }

  /** Resolves when as much has been taken as a reader that is slow may be behind. */
  async drain(): Promise<void> {
    const { output } = this.#options;
    if (output.writableNeedDrain) await once(output, 'drain');
  }

  /** The result as JSON, or else in words. */
  report(value: JsonValue, words: () => string): void {
    if (this.isJson) this.writeJson(value);
    else this.write(words());
  }

  /** How far it is: for a person who watches. */
  note(text: string): void {
    if (this.#options.errors.isTTY === true) this.log(text);
  }

  /** Says that something waits for the request limit: once, however often it does. In epoch milliseconds. */
  logLimit(until: number, now: number): void {
    if (this.#hasSaidLimit) return;
    this.#hasSaidLimit = true;
    this.log(l10n.t('waits {0} s for the request limit', formats.number(secondsUntil(until, now))));
  }

  /** Lines beside the result, such as those of a log. */
  log(text: string): void {
    if (!this.#options.isQuiet) this.fail(text);
  }

  fail(text: string): void {
    this.#options.errors.write(`${clean(text)}\n`);
  }

  /** A result for a person whose beginning is coloured, where colours are wanted and seen. */
  writeStyled(style: Style, begin: string, text: string): void {
    this.#options.output.write(
      `${styleText(style, begin, { stream: this.#options.output })}${clean(text)}\n`,
    );
  }
}
