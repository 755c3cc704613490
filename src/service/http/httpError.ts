// Errors of requests; a single handler converts them to the error envelope (contract sections 1 and 4).
import type { JsonObject, JsonValue } from '../../base/json.ts';

export type ErrorStatus =
  400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503 | 507;

/** An error response; its code is in lower snake case, its message is for the caller. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ErrorStatus;
  readonly code: string;
  readonly details: JsonValue | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    code: string,
    message: string,
    extra: { readonly details?: JsonValue; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = extra.details;
    this.headers = extra.headers ?? {};
  }

  /** Returns the body of the response. */
  toEnvelope(requestId: string): JsonObject {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.details !== undefined && { details: this.details }),
        requestId,
      },
    };
  }
}

export function workflowNotFound(): HttpError {
  return new HttpError(404, 'workflow_not_found', 'There is no workflow with this id.');
}

export function executionNotFound(): HttpError {
  return new HttpError(404, 'execution_not_found', 'There is no execution with this id.');
}

export function definitionNotKept(): HttpError {
  return new HttpError(404, 'definition_not_kept', "The definition that this execution ran isn't kept.");
}

export function nodeLogNotFound(): HttpError {
  return new HttpError(404, 'node_log_not_found', 'The execution has no log row with this id.');
}

export function versionConflict(): HttpError {
  return new HttpError(409, 'version_conflict', 'The workflow has changed since it was read.');
}

export function invalidRequest(message: string): HttpError {
  return new HttpError(400, 'invalid_request', message);
}
