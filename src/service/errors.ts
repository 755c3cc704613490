/** The reason that a node failed; the code is in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
