/** The parts of a secret that a node uses. */
export interface UsableSecret {
  readonly name: string;
  readonly value: string;
  /** The only origins that it may be sent to; none for any. */
  readonly origins: readonly string[];
}
