// Why: undici is large, so its chunk is loaded with the first request and never at activation.
import type { Disposable } from '../base/disposable.ts';
import type { DisposableHttpPort, HttpSettings } from './http.ts';
import type { HttpPort } from './httpPort.ts';

export interface HttpLoader extends Disposable {
  /** The port, loaded on first use. */
  readonly load: () => Promise<HttpPort>;
  /** Settings have changed: ends all connections; the next load reads the settings anew. */
  readonly reset: () => void;
}

/** readSettings: called when the port is built. */
export function createHttpLoader(readSettings: () => HttpSettings): HttpLoader {
  let port: DisposableHttpPort | undefined;
  return Object.freeze({
    async load() {
      const { createHttpPort } = await import('./http.ts');
      port ??= createHttpPort(readSettings());
      return port;
    },
    reset() {
      port?.dispose();
      port = undefined;
    },
    dispose() {
      port?.dispose();
    },
  });
}
