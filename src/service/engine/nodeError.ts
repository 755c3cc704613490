// A node that fails says why in words for the workflow's author; anything else is a fault of the service.

/** The reason a node failed; the code in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
