import type { Disposable } from '../base/disposable.ts';
import { ObservableValue } from '../base/event.ts';
import type { Connection } from '../domain/connection.ts';
import { ServiceError } from '../domain/errors.ts';
import type { KeyReader } from './ports.ts';

/** The address at which the service has proven its identity to this window. "awaited": a start is in progress. */
type ProvenAddress = 'none' | 'awaited' | { readonly baseUrl: string };

/** Guards keys for the local service. Any program may listen at its old address, so keys are only sent while the service proves its identity. */
export class LocalAccess implements Disposable {
  readonly #address = new ObservableValue<ProvenAddress>('none');

  set(address: ProvenAddress): void {
    this.#address.set(address);
  }

  /**
   * Returns the key reader for a connection. For a local one it waits for a start in progress, and rejects with "unreachable" if the service
   * hasn't proven its identity.
   */
  guard({ kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>, readKey: KeyReader): KeyReader {
    if (kind !== 'local') return readKey;
    return async () => {
      await this.#settled();
      this.#refuseUnproven(baseUrl);
      const key = await readKey();
      // The service may have ended while the key was read.
      this.#refuseUnproven(baseUrl);
      return key;
    };
  }

  dispose(): void {
    this.#address.set('none');
    this.#address.dispose();
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = (address: ProvenAddress): void => {
        if (address === 'awaited') return;
        listener.dispose();
        resolve();
      };
      const listener = this.#address.onDidChange(check);
      check(this.#address.current);
    });
  }

  #refuseUnproven(baseUrl: string): void {
    const { current } = this.#address;
    if (typeof current === 'object' && current.baseUrl === baseUrl) return;
    throw new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'The local service is not running.');
  }
}
