import type { Disposable } from '../../base/disposable.ts';
import type { DisposableHttpPort, HttpPort, HttpSettings } from './httpPort.ts';

/** Loads undici with the first request, because it takes longer to load than the rest of the extension. */
export class HttpLoader implements Disposable {
  readonly #readSettings: () => HttpSettings;
  #loading: Promise<DisposableHttpPort> | undefined;

  constructor(readSettings: () => HttpSettings) {
    this.#readSettings = readSettings;
  }

  readonly load = (): Promise<HttpPort> => {
    const attempt = (this.#loading ??= import('./http.ts').then(({ createHttpPort }) =>
      createHttpPort(this.#readSettings()),
    ));
    attempt.catch(() => {
      if (this.#loading === attempt) this.#loading = undefined;
    });
    return attempt;
  };

  /** Call when the settings have changed: the next request uses a new port. */
  readonly reset = (): void => {
    this.#loading?.then(
      (port) => port.dispose(),
      // The callers of load got the error.
      () => undefined,
    );
    this.#loading = undefined;
  };

  dispose(): void {
    this.reset();
  }
}
