// Ends an execution when a node has failed for good; tells which node it was.

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
