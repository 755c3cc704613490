import type { NodeFailure } from '../store/nodeRuns.ts';

/** A node failed after its last attempt; the message is the node's. If a loop failed, the cause is the failure of the node in its body. */
export class NodeFailedError extends Error {
  override readonly name = 'NodeFailedError';
  readonly nodeId: string;
  readonly failure: NodeFailure;
  /** The failure of the node that failed first, in the innermost loop. */
  readonly origin: NodeFailedError;

  constructor(nodeId: string, failure: NodeFailure, cause?: NodeFailedError) {
    super(failure.message, { cause });
    this.nodeId = nodeId;
    this.failure = failure;
    this.origin = cause?.origin ?? this;
  }
}

/** Ends a run's work on an execution; another run continues it at `wakeAt`, in epoch milliseconds. */
export class HandOver extends Error {
  override readonly name = 'HandOver';
  readonly wakeAt: number;

  constructor(wakeAt: number) {
    super('The execution is handed over to another run.');
    this.wakeAt = wakeAt;
  }
}
