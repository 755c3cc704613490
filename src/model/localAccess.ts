// Anything may listen where the local service once did, so a key goes to the local connection only while the service proves itself.
import type { Disposable } from '../base/disposable.ts';
import { ObservableValue } from '../base/observable.ts';
import { ServiceError } from '../domain/serviceError.ts';
import type { Connection } from '../domain/connection.ts';
import type { KeyReader } from './ports.ts';

/** Where the service has proven itself to this window and still does; what is "awaited" is about to. */
type ProvenAddress = 'none' | 'awaited' | { readonly baseUrl: string };

export interface LocalAccess extends Disposable {
  set(address: ProvenAddress): void;
  /** The key reader of a connection; for a local one it waits for a start under way, and rejects with "unreachable" where nothing has proven itself. */
  guard(connection: Pick<Connection, 'kind' | 'baseUrl'>, readKey: KeyReader): KeyReader;
}

export function createLocalAccess(): LocalAccess {
  const address = new ObservableValue<ProvenAddress>('none');

  function settled(): Promise<ProvenAddress> {
    return new Promise((resolve) => {
      const look = (current: ProvenAddress): void => {
        if (current === 'awaited') return;
        listener.dispose();
        resolve(current);
      };
      const listener = address.onDidChange(look);
      look(address.current);
    });
  }

  function refuse(baseUrl: string): void {
    const { current } = address;
    if (typeof current === 'object' && current.baseUrl === baseUrl) return;
    throw new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'The local service is not running.');
  }

  return Object.freeze({
    set: (next: ProvenAddress) => address.set(next),
    guard: ({ kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>, readKey: KeyReader): KeyReader => {
      if (kind !== 'local') return readKey;
      return async () => {
        await settled();
        refuse(baseUrl);
        const key = await readKey();
        // It may have ended while the key was read.
        refuse(baseUrl);
        return key;
      };
    },
    dispose: () => {
      address.set('none');
      address.dispose();
    },
  });
}
