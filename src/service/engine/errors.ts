/** A node failed after its last attempt; the message is the node's. */
export class NodeFailedError extends Error {
  override readonly name = 'NodeFailedError';
  readonly nodeId: string;

  constructor(nodeId: string, message: string) {
    super(message);
    this.nodeId = nodeId;
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
