// Places in documents and edits of them, for the small version of `vscode`.
import type { URI } from 'vscode-uri';

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character);

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...ends: readonly [Position, Position] | readonly [number, number, number, number]) {
    if (ends.length === 2) [this.start, this.end] = ends;
    else [this.start, this.end] = [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
  }
  get isEmpty(): boolean {
    return !isBefore(this.start, this.end);
  }
  with({ start = this.start, end = this.end }: { readonly start?: Position; readonly end?: Position }) {
    return new Range(start, end);
  }
  intersection(other: Range): Range | undefined {
    const start = isBefore(this.start, other.start) ? other.start : this.start;
    const end = isBefore(this.end, other.end) ? this.end : other.end;
    return isBefore(end, start) ? undefined : new Range(start, end);
  }
  union(other: Range): Range {
    return new Range(
      isBefore(other.start, this.start) ? other.start : this.start,
      isBefore(this.end, other.end) ? other.end : this.end,
    );
  }
}

export class Location {
  readonly uri: URI;
  readonly range: Range;
  constructor(uri: URI, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export class TextEdit {
  readonly range: Range;
  readonly newText: string;
  constructor(range: Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
}

/** The edits of one document. */
export class WorkspaceEdit {
  #edits: readonly TextEdit[] = [];
  #uri: URI | undefined;
  replace(uri: URI, range: Range, newText: string): void {
    this.set(uri, [...this.#edits, new TextEdit(range, newText)]);
  }
  set(uri: URI, edits: readonly TextEdit[]): void {
    this.#uri = uri;
    this.#edits = edits;
  }
  entries(): readonly (readonly [URI, readonly TextEdit[]])[] {
    return this.#uri === undefined ? [] : [[this.#uri, this.#edits]];
  }
}
