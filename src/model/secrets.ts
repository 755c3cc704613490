// The secrets of the local service as this window knows them: their names and dates.
import type { Disposable } from '../base/disposable.ts';
import { type Observable, ObservableValue } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';
import type { Secret } from '../domain/secret.ts';
import type { LocalService } from './localService.ts';

export interface LocalSecretsDeps {
  readonly localService: Pick<LocalService, 'state'>;
  readonly logger: Logger;
}

/** By name; undefined while the local service doesn't run. */
export type KnownSecrets = ReadonlyMap<string, Secret> | undefined;

export class LocalSecrets implements Disposable {
  readonly #deps: LocalSecretsDeps;
  readonly #known = new ObservableValue<KnownSecrets>(undefined);
  readonly #listener: Disposable;
  #asked = 0;
  /** The number of the request whose response is known. */
  #received = 0;

  constructor(deps: LocalSecretsDeps) {
    this.#deps = deps;
    this.#listener = deps.localService.state.onDidChange(() => void this.reload());
  }

  get known(): Observable<KnownSecrets> {
    return this.#known;
  }

  /** Asks the service, without a limit of requests. Of several responses the one to the latest request counts, whichever comes last. */
  async reload(): Promise<void> {
    const state = this.#deps.localService.state.current;
    if (state.kind !== 'running') {
      this.#known.set(undefined);
      return;
    }
    this.#asked += 1;
    const request = this.#asked;
    try {
      const secrets = await state.settings.listSecrets();
      if (this.#deps.localService.state.current !== state || request < this.#received) return;
      this.#received = request;
      this.#known.set(new Map(secrets.map((secret) => [secret.name, secret])));
    } catch (error) {
      this.#deps.logger.warn(`The secrets of the local service couldn't be listed: ${String(error)}`);
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#known.dispose();
  }
}
