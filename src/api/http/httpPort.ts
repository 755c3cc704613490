// The interface for sending HTTP requests, implemented with undici in the extension and with the service's own app in tests.

/** The part of a response that the client uses. The web standard's Response fits, and so does undici's. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** True for an event stream: the port must not limit the time between two chunks of the body. */
  readonly isStream: boolean;
}

/** Sends one request without following redirects. Rejects with the transport's own error. */
export type HttpPort = (url: string, request: HttpRequest) => Promise<HttpResponse>;
