// Loads undici, which takes longer than everything else together, with the first request, and makes the port anew when the proxy changes.
import type { Disposable } from '../../base/disposable.ts';
import type { DisposableHttpPort, HttpSettings } from './http.ts';
import type { HttpPort } from './httpPort.ts';

export interface HttpLoader extends Disposable {
  readonly load: () => Promise<HttpPort>;
  /** The settings have changed: the next request goes through a new port. */
  readonly reset: () => void;
}

export function createHttpLoader(readSettings: () => HttpSettings): HttpLoader {
  let loading: Promise<DisposableHttpPort> | undefined;
  const reset = (): void => {
    loading?.then(
      (port) => port.dispose(),
      // The callers of load were told.
      () => undefined,
    );
    loading = undefined;
  };
  return {
    load: () => {
      const attempt = (loading ??= import('./http.ts').then(({ createHttpPort }) =>
        createHttpPort(readSettings()),
      ));
      attempt.catch(() => {
        if (loading === attempt) loading = undefined;
      });
      return attempt;
    },
    reset,
    dispose: reset,
  };
}
