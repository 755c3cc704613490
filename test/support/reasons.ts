// Tests ask for the reason of a failed call, and fail when there was none.
import assert from 'node:assert/strict';
import { isServiceError, type ServiceErrorReason } from '../../src/domain/errors.ts';

/** The reason a call was refused for. */
export async function reasonOf(call: Promise<unknown>): Promise<ServiceErrorReason> {
  const error: unknown = await call.then(
    () => assert.fail('The call went through.'),
    (thrown: unknown) => thrown,
  );
  if (!isServiceError(error)) throw error;
  return error.reason;
}

/** Its kind alone. */
export async function kindOf(call: Promise<unknown>): Promise<ServiceErrorReason['kind']> {
  return (await reasonOf(call)).kind;
}
