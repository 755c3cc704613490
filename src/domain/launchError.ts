import { ReasonError } from './reasonError.ts';

export type LaunchErrorReason =
  /** It ended at once, or could not be started at all. words: its last ones, or the system's. */
  | { readonly kind: 'notStarted'; readonly words: string }
  /** Its data cannot be read. words: which file, and why. */
  | { readonly kind: 'dataDamaged'; readonly words: string }
  /** It runs and does not answer. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** It was told to end and did not. pid: of its process. */
  | { readonly kind: 'notEnded'; readonly pid: number };

/** The local service failed to start or to end. The message is for the log. */
export class LaunchError extends ReasonError<LaunchErrorReason> {
  override readonly name = 'LaunchError';
}
