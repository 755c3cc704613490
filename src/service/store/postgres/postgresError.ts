// Classifies the errors of PostgreSQL and of connections to it.
import { StorageError, type StorageProblem } from '../storageError.ts';
import type { DatabaseAddress } from './address.ts';

/** SQLSTATE codes, or their classes. */
const byState: Readonly<Partial<Record<string, StorageProblem>>> = {
  '08': 'unreachable',
  // The database shuts down or starts, or an administrator ends the connection.
  '57P': 'unreachable',
  '53300': 'unreachable',
  '53100': 'full',
  '53': 'busy',
  '25006': 'readOnly',
  // What other transactions caused (see isDisturbed), and timeouts: the same work can succeed the next time.
  '40': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  '23503': 'busy',
};
const ofConnection = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Returns the problem of the database that caused the error; undefined for other errors. */
export function postgresProblemOf(error: unknown): StorageProblem | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (ofConnection.has(code)) return 'unreachable';
  return byState[code] ?? byState[code.slice(0, 3)] ?? byState[code.slice(0, 2)];
}

/** A serialization failure, a deadlock, and a definition that nothing used and that was deleted just now. */
const ofOtherTransactions = new Set(['40001', '40P01', '23503']);

/** Whether a transaction failed only because of another one, so that the same work can succeed at once. */
export function isDisturbed(error: unknown): boolean {
  return ofOtherTransactions.has(codeOf(error) ?? '');
}

/** Whether a transaction failed because of its `demand`: nothing else in the SQL of the store divides. */
export function isUnmetDemand(error: unknown): boolean {
  return codeOf(error) === '22012';
}

/** Whether the connection that the error came from is gone. */
export function isClosed(error: unknown): boolean {
  if (ofConnection.has(codeOf(error) ?? '')) return true;
  if (!(error instanceof Error) || !('severity' in error)) return false;
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** Converts what the database caused to a StorageError; returns other errors unchanged. */
export function toPostgresError(error: unknown, { name }: DatabaseAddress): unknown {
  const problem = postgresProblemOf(error);
  return problem === undefined ? error : new StorageError(problem, { database: name }, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
