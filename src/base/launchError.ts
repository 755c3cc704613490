// Every way the local service can fail to start or to end, typed where it arises; the words are chosen where they are shown.

export type LaunchErrorReason =
  /** It ended at once, or could not be started at all. words: its last ones, or the system's. */
  | { readonly kind: 'notStarted'; readonly words: string }
  /** Its data cannot be read. words: which file, and why. */
  | { readonly kind: 'dataDamaged'; readonly words: string }
  /** It runs and does not answer. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** It was told to end and did not. pid: of its process. */
  | { readonly kind: 'notEnded'; readonly pid: number };

/** The message is for the log. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly reason: LaunchErrorReason;

  constructor(reason: LaunchErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
