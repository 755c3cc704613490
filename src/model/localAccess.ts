import type { Disposable } from '../base/disposable.ts';
import { ObservableValue } from '../base/observable.ts';
import type { Connection } from '../domain/connection.ts';
import { ServiceError } from '../domain/serviceError.ts';
import type { KeyReader } from './ports.ts';

/** Where the service has proven itself to this window and still does. "awaited": a start is under way. */
type ProvenAddress = 'none' | 'awaited' | { readonly baseUrl: string };

/** Any program may listen where the local service once did, so a key goes to the local connection only while the service proves itself. */
export class LocalAccess implements Disposable {
  readonly #address = new ObservableValue<ProvenAddress>('none');

  set(address: ProvenAddress): void {
    this.#address.set(address);
  }

  /** Returns the key reader for a connection. For a local one it waits for a start under way, and rejects with "unreachable" where nothing has proven itself. */
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
