// Loads undici with the first request, because it takes longer to load than the rest of the extension.
import type { Disposable } from '../../base/disposable.ts';
import type { DisposableHttpPort, HttpSettings } from './http.ts';
import type { HttpPort } from './httpPort.ts';

export interface HttpLoader extends Disposable {
  readonly load: () => Promise<HttpPort>;
  /** Call when the settings have changed: the next request uses a new port. */
  readonly reset: () => void;
}

export function createHttpLoader(readSettings: () => HttpSettings): HttpLoader {
  let loading: Promise<DisposableHttpPort> | undefined;
  const reset = (): void => {
    loading?.then(
      (port) => port.dispose(),
      // The callers of load got the error.
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
