import { ServiceError, type Unstartable } from '../../domain/errors.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

const { product } = serviceTraits.n8n;

/** The error for what n8n doesn't have. Nothing is sent. what: as in "Sending portal events". */
export function notOfferedByN8n(what: string): ServiceError {
  return new ServiceError(
    { kind: 'notOffered', isNotAdvertised: true, by: product },
    `${what} is not offered by ${product}.`,
  );
}

/** A call of what n8n doesn't have. */
export function refuse(what: string): Promise<never> {
  return Promise.reject(notOfferedByN8n(what));
}

/** Why n8n can't execute a workflow, or not so. */
export function notStartable(because: Unstartable) {
  return { kind: 'notStartable', because, by: product } as const;
}
