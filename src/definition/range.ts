/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}
