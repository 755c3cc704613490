/** The reason a node failed; the code in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The message is the node's own. */
export class NodeFailedError extends Error {
  override readonly name = 'NodeFailedError';
  readonly nodeId: string;
  /** The turns of the loops it failed in, outermost first. */
  readonly turns: readonly number[];

  constructor(nodeId: string, message: string, turns: readonly number[] = []) {
    super(message);
    this.nodeId = nodeId;
    this.turns = turns;
  }

  /** The same failure as seen from the loop around it. */
  inTurn(index: number): NodeFailedError {
    return new NodeFailedError(this.nodeId, this.message, [index, ...this.turns]);
  }
}
