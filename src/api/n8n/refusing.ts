import { ServiceError } from '../../domain/errors.ts';

/** The error for what n8n doesn't have. Nothing is sent. what: as in "Sending portal events". */
export function notOfferedByN8n(what: string): ServiceError {
  return new ServiceError(
    { kind: 'notOffered', isNotAdvertised: true, by: 'n8n' },
    `${what} is not offered by n8n.`,
  );
}

/** A call of what n8n doesn't have. */
export function refuse(what: string): Promise<never> {
  return Promise.reject(notOfferedByN8n(what));
}
