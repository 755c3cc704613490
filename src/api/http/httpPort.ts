// The interface for sending HTTP requests, implemented with undici in the extension and with the service's own app in tests.
import type { Disposable } from '../../base/disposable.ts';

/** The part of a response that the client uses. The web standard's Response fits, and so does undici's. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
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

export interface HttpSettings {
  /** http.proxy. Default, also when empty: the environment's HTTP(S)_PROXY. */
  readonly proxy?: string | undefined;
  /** http.noProxy. Default, also when empty: the environment's NO_PROXY. Loopback addresses never use a proxy. */
  readonly noProxy?: readonly string[];
  /** http.proxyStrictSSL. false accepts any certificate. Default: true. */
  readonly strictTls?: boolean;
  /** http.systemCertificates. Trusts the system's certificates in addition to Node's own. Default: true. */
  readonly systemCertificates?: boolean;
  /** Additional PEM certificates to trust. */
  readonly certificates?: readonly string[];
  /** Default: process.env. {} disables the environment's proxies. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Closes all connections when disposed of. A new one is created when a setting changes. */
export type DisposableHttpPort = HttpPort & Disposable;
