import type { JsonValue } from '../base/json.ts';

/** The answer of another service that made a node fail. */
export interface RefusingAnswer {
  readonly status: number;
  readonly response: JsonValue;
}

/** The reason that a node failed; the code is in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  readonly answer: RefusingAnswer | undefined;

  constructor(code: string, message: string, answer?: RefusingAnswer) {
    super(message);
    this.code = code;
    this.answer = answer;
  }
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
