// The text of an address while it's filled: what templates put into it stays in its place (contract section 10, "Addresses").
import { NodeError } from '../errors.ts';

interface Piece {
  readonly start: number;
  readonly end: number;
}

export class AddressText {
  #text = '';
  readonly #pieces: Piece[] = [];

  get length(): number {
    return this.#text.length;
  }

  /** Adds text as it is: what the author wrote, or a value at the very beginning. */
  add(text: string): void {
    this.#text += text;
  }

  /** Adds a value as one piece, percent-encoded, so that it can't begin another segment or parameter. */
  addPiece(value: string): void {
    const start = this.#text.length;
    this.#text += encodePiece(value);
    this.#pieces.push({ start, end: this.#text.length });
  }

  /** Throws a NodeError when a segment with a value in it would lead up the path: no encoding prevents that. */
  finish(): string {
    const text = this.#text;
    const path = /^[^?#]*/.exec(text)?.[0].length ?? 0;
    for (const { start, end } of this.#pieces) {
      if (start >= path) continue;
      const before = Math.max(text.lastIndexOf('/', start - 1), text.lastIndexOf('\\', start - 1)) + 1;
      const after = text.slice(end, path).search(/[/\\]/);
      const segment = text.slice(before, after === -1 ? path : end + after).replace(/[\t\n\r]/g, '');
      if (isDotSegment(segment))
        throw new NodeError(
          'url_invalid',
          `Nothing was sent because a template gave "${segment}", which would lead to another path.`,
        );
    }
    return text;
  }
}

/** Throws a NodeError for half a character, which no address can have. */
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

/** `.` or `..`; a dot can be written as %2e. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
