/** The reason that a node failed; the code is in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A node failed after its last attempt; the message is the node's. */
export class NodeFailedError extends Error {
  override readonly name = 'NodeFailedError';
  readonly nodeId: string;
  /** The turn of each enclosing loop, outermost first. */
  readonly turns: readonly number[];

  constructor(nodeId: string, message: string, turns: readonly number[] = []) {
    super(message);
    this.nodeId = nodeId;
    this.turns = turns;
  }

  /** Returns the same failure with the turn of the enclosing loop added. */
  inTurn(index: number): NodeFailedError {
    return new NodeFailedError(this.nodeId, this.message, [index, ...this.turns]);
  }
}
