import { ReasonError } from './reasonError.ts';

export type LaunchErrorReason =
  /** The process exited immediately or couldn't be started. words: its last output, or the system's error. */
  | { readonly kind: 'notStarted'; readonly words: string }
  /** The service's data can't be read. words: which file, and why. */
  | { readonly kind: 'dataDamaged'; readonly words: string }
  /** The process runs but doesn't respond. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** The process was told to stop but didn't. pid: its process id. */
  | { readonly kind: 'notEnded'; readonly pid: number };

/** The local service failed to start or stop. The message is for the log. */
export class LaunchError extends ReasonError<LaunchErrorReason> {
  override readonly name = 'LaunchError';
}
