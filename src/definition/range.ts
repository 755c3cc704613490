/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Of what has more than its place, such as a node of a syntax tree. */
export const rangeOf = ({ offset, length }: Range): Range => ({ offset, length });

export const endOf = ({ offset, length }: Range): number => offset + length;
