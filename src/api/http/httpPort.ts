// The port through which requests leave: undici stands behind it in the extension, the service's own app in tests.

/** What the api layer needs of a response; the web standard's Response fits, and so does undici's. */
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
  /** True for an event stream: no limit on the time between two pieces of the body. */
  readonly isStream: boolean;
}

/** Sends one request, follows no redirect, and rejects with the transport's own error. */
export type HttpPort = (url: string, request: HttpRequest) => Promise<HttpResponse>;
