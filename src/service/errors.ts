import type { JsonValue } from '../base/json.ts';

/** The response of another service that made a node fail. */
export interface RefusalResponse {
  readonly status: number;
  readonly response: JsonValue;
}

/** The reason that a node failed; the code is in lower snake case. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  readonly refusal: RefusalResponse | undefined;

  constructor(code: string, message: string, refusal?: RefusalResponse) {
    super(message);
    this.code = code;
    this.refusal = refusal;
  }
}
