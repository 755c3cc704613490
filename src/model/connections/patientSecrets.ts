// The secret storage of an editor may fail or never answer, such as behind a keyring that nobody unlocks; each call of it ends.
import type { Disposable } from '../../base/disposable.ts';
import { ServiceError, type ServiceErrorReason } from '../../domain/serviceError.ts';
import type { Clock, SecretPort } from '../ports.ts';

type Operation = (ServiceErrorReason & { readonly kind: 'secretStorage' })['operation'];
type Calls = Pick<SecretPort, 'get' | 'set' | 'delete'>;

/** Milliseconds that a call of the secret storage may take. */
const secretsPatienceMs = 10_000;

/** The same calls, which reject with a ServiceError "secretStorage" when the storage fails or time is up. Nothing of a failure is remembered. */
export function createPatientSecrets(secrets: Calls, clock: Pick<Clock, 'schedule'>): Calls {
  const within = <T>(connectionId: string, operation: Operation, call: () => Promise<T>): Promise<T> => {
    let timer: Disposable | undefined;
    const fail = (cause: 'failed' | 'silent', error?: unknown): ServiceError =>
      createFailure(operation, cause, error).ofConnection(connectionId);
    const silence = new Promise<never>((_resolve, reject) => {
      timer = clock.schedule(() => reject(fail('silent')), secretsPatienceMs);
    });
    const answer = call().catch((error: unknown) => {
      throw fail('failed', error);
    });
    return Promise.race([answer, silence]).finally(() => timer?.dispose());
  };
  return {
    get: (id) => within(id, 'read', async () => secrets.get(id)),
    set: (id, secret) => within(id, 'store', async () => secrets.set(id, secret)),
    delete: (id) => within(id, 'delete', async () => secrets.delete(id)),
  };
}

function createFailure(operation: Operation, cause: 'failed' | 'silent', error: unknown): ServiceError {
  const words = cause === 'silent' ? 'did not answer in time' : 'failed';
  return new ServiceError(
    { kind: 'secretStorage', operation, cause },
    `The secret storage ${words} (${operation}).`,
    { cause: error },
  );
}
