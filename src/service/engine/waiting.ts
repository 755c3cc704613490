// An execution that waits for long is let go and taken up by another run when the time has come, so that waiting takes no place.

/** Ends a run's work on an execution; another run goes on at the time, in epoch milliseconds. */
export class HandOver extends Error {
  override readonly name = 'HandOver';
  readonly wakeAt: number;

  constructor(wakeAt: number) {
    super('The execution is handed over to another run.');
    this.wakeAt = wakeAt;
  }
}

/** Resolves at the time, in epoch milliseconds, or throws a HandOver for it. */
export type WaitUntil = (wakeAt: number) => Promise<void>;
