// Calls of n8n's API as the version at hand takes them: an older one knows fewer calls and fewer parameters of their queries.
import type { CallOptions } from '../../domain/queries.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { RequestBudget } from '../budget/budget.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Outgoing, ServiceRequest } from '../request/request.ts';
import type { OpenedStream, StreamOptions, Transport } from '../request/transport.ts';

/** Owns the transport that it sends with. */
export class VersionTransport implements Transport {
  readonly #inner: Transport;
  /** The parameters that were refused, with their calls. */
  readonly #unknown = new Set<string>();

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get budget(): RequestBudget {
    return this.#inner.budget;
  }

  /** Nothing is done by a call that's refused for its query, so it's sent again. Rejects with "notOffered" for a call that isn't there. */
  async call(request: ServiceRequest, options?: CallOptions): Promise<CompleteResponse> {
    for (;;)
      try {
        return await this.#inner.call(this.#known(request), options);
      } catch (error) {
        const name = unknownParameter(error);
        if (name === undefined || this.#known(request).query?.[name] === undefined) throw ofVersion(error);
        this.#unknown.add(keyOf(request, name));
      }
  }

  open(request: ServiceRequest, options: StreamOptions): Promise<OpenedStream> {
    return this.#inner.open(this.#known(request), options);
  }

  describe(request: ServiceRequest): Outgoing {
    return this.#inner.describe(this.#known(request));
  }

  dispose(): void {
    this.#inner.dispose();
  }

  #known(request: ServiceRequest): ServiceRequest {
    const { query } = request;
    if (query === undefined || this.#unknown.size === 0) return request;
    const known = Object.entries(query).filter(([name]) => !this.#unknown.has(keyOf(request, name)));
    return { ...request, query: Object.fromEntries(known) };
  }
}

function keyOf({ operation: { method, path } }: ServiceRequest, name: string): string {
  return `${method} ${path} ${name}`;
}

/** The parameter of a query that n8n refuses because it doesn't know it. */
export function unknownParameter(error: unknown): string | undefined {
  if (!isServiceError(error, 'invalid')) return undefined;
  return /^Unknown query parameter '(\w+)'$/.exec(error.message)?.[1];
}

/** Of a record that isn't there n8n says "Not Found", of a call "not found". */
function ofVersion(error: unknown): unknown {
  if (!isServiceError(error, 'notFound') || error.message !== 'not found') return error;
  return error.because({ kind: 'notOffered', by: 'n8n' });
}
