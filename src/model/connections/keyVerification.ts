// Whether a service accepts a key, asked with one cheap read, before the key is stored.
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import { callOptions } from '../callOptions.ts';
import type { ClientFactory } from '../ports.ts';
import type { Connection } from '../../domain/connection.ts';
import { ConnectionError } from '../../domain/connectionError.ts';

/** Resolves when the service accepts the key. Rejects with a ConnectionError, or the signal's reason. */
export async function verifyKey(
  createClient: ClientFactory,
  { kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const client = createClient({ id: 'verification', name: '', kind, baseUrl }, () => Promise.resolve(key));
  try {
    await client.workflows.list({ limit: 1 }, callOptions(signal));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const refusal = readRefusal(error);
    if (refusal) throw refusal;
  } finally {
    client.dispose();
  }
}

/** null: the failure does not speak against the key. */
function readRefusal(error: ServiceError): ConnectionError | null {
  switch (error.reason.kind) {
    case 'forbidden':
      // The service knows the key; it may just not list workflows.
      return null;
    case 'keyRejected':
      return new ConnectionError({ kind: 'keyRejected' });
    case 'unreachable':
    case 'unavailable':
    case 'rateLimited':
      return new ConnectionError({ kind: 'unverified', error });
    default:
      return new ConnectionError({ kind: 'notTheService', error });
  }
}
