// The text of an address while it's filled: what templates insert stays in its place (contract section 10, "Addresses").
import { NodeError } from '../errors.ts';
import { FilledText, textOf } from './filledText.ts';
import { shortExpression } from './messages.ts';

/** What a template inserted into the address, as indexes of its text. */
interface AddressPiece {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly expression: string;
}

export class AddressText extends FilledText {
  #hasValues = false;
  readonly #pieces: AddressPiece[] = [];

  /**
   * Adds a value at the very beginning as it is, and any other one as one piece, percent-encoded, so that it can't begin another segment or
   * parameter.
   */
  override put(json: string, expression: string): void {
    const value = textOf(json);
    const start = this.text.length;
    const isBeginning = !this.#hasValues && this.text.trim() === '';
    this.#hasValues = true;
    this.add(isBeginning ? value : encodePiece(value));
    if (!isBeginning)
      this.#pieces.push({ start, end: this.text.length, value, expression: expression.trim() });
  }

  /** Throws a NodeError if no encoding keeps a value in its place: in the host, and where it would lead up the path. */
  override check(): void {
    const { text } = this;
    if (this.#pieces.length === 0) return;
    const [begin, slashes = ''] = /^[\0- ]*[a-z][a-z\d+.\t\n\r-]*:([/\\\t\n\r]*)/i.exec(text) ?? [];
    // Not an address: the caller that reads it reports that.
    if (begin === undefined) return;
    const end = endAt(text, begin.length, /[/\\?#]/);
    const host = { text, start: begin.length, end };
    const path = text.slice(0, endAt(text, 0, /[?#]/));
    for (const piece of this.#pieces)
      if (piece.start >= begin.length - slashes.length && piece.start <= end) refuseHost(piece, host);
      else if (piece.start < path.length) refuseDots(piece, path);
  }
}

/** Where the host stands in an address. */
interface Host {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Characters that end a host, or can't be in one. */
const notInHosts = /[\0- "#%/:<>?@[\\\]^`{|}\x7f]/;
/** All characters that a host reads as a dot. */
const dots = /[.\u3002\uff0e\uff61]/;

function refuseHost({ start, end, value, expression }: AddressPiece, host: Host): void {
  const { text } = host;
  // A value that continues the last name that the author wrote would make another domain of it.
  const goesOn = /[^/\\.@:-]/.test(text.charAt(start - 1)) && !text.slice(end, host.end).includes('.');
  // If a value isn't a host at all, the text after the next slash would be read as one.
  const isMissing = start < host.start;
  if (!isMissing && !notInHosts.test(value) && !(goesOn && dots.test(value))) return;
  const what = isMissing ? 'nothing for' : "a value that isn't valid in";
  // Without the value, which may be a secret.
  throw new NodeError(
    'url_invalid',
    `Nothing was sent because {{ ${shortExpression(expression)} }} gave ${what} the host of the address. Write the : of a port and the / of a path in the text of "url".`,
  );
}

/** `path`: all of the address before the query. */
function refuseDots({ start, end, expression }: AddressPiece, path: string): void {
  const before = Math.max(path.lastIndexOf('/', start - 1), path.lastIndexOf('\\', start - 1)) + 1;
  const segment = path.slice(before, endAt(path, end, /[/\\]/));
  // An address drops spaces at its end, and a dot can be written as %2e.
  if (!/^(?:\.|%2e){1,2}$/i.test(withoutBreaks(segment).trimEnd())) return;
  throw new NodeError(
    'url_invalid',
    `Nothing was sent because {{ ${shortExpression(expression)} }} gave "${segment}", which would lead to another path.`,
  );
}

/** An address drops them wherever they are. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, '');
}

/** The index of the character that ends a part of the text, or else the text's end. */
function endAt(text: string, start: number, what: RegExp): number {
  const found = text.slice(start).search(what);
  return found === -1 ? text.length : start + found;
}

/** Throws a NodeError for half a character, which an address can't contain. */
export function encodePiece(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new NodeError(
      'url_invalid',
      'Nothing was sent because a value has half a character (a surrogate).',
    );
  }
}
