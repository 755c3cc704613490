// Classifies the errors of PostgreSQL and of connections to it.
import { codeOf, textOf } from '../../../base/reason.ts';
import { StorageError, type StorageProblem } from '../storageError.ts';
import type { DatabaseAddress } from './address.ts';

/** SQLSTATE codes, or their classes. */
const byState: Readonly<Partial<Record<string, StorageProblem | null>>> = {
  // The server doesn't accept what this service sends, such as a pooler that refuses a setting; its message says what.
  '08P01': null,
  '08': 'unreachable',
  // The database shuts down or starts, or an administrator ends the connection.
  '57P': 'unreachable',
  '53300': 'unreachable',
  '53100': 'full',
  '53': 'busy',
  '25006': 'readOnly',
  XX001: 'damaged',
  XX002: 'damaged',
  // Errors that other transactions caused (see isDisturbed), and timeouts: the same work can succeed the next time.
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
  for (const known of [code, code.slice(0, 3), code.slice(0, 2)]) {
    const problem = byState[known];
    if (problem !== undefined) return problem ?? undefined;
  }
  return undefined;
}

/** A serialization failure, a deadlock, and a definition that nothing used and that was deleted just now. */
const ofOtherTransactions = new Set(['40001', '40P01', '23503']);

/** Whether a transaction failed only because of another one, so that the same work can succeed at once. */
export function isDisturbed(error: unknown): boolean {
  return ofOtherTransactions.has(codeOf(error) ?? '');
}

/** Whether a transaction failed because of its `demand`: no other SQL of the store divides. */
export function isUnmetDemand(error: unknown): boolean {
  return codeOf(error) === '22012';
}

/** Whether a lock wasn't free within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Whether the table of a statement isn't there, or its schema. */
export function hasNoTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** Whether the connection that the error came from is gone. */
export function isClosed(error: unknown): boolean {
  if (ofConnection.has(codeOf(error) ?? '')) return true;
  const severity = textOf(error, 'severity');
  return severity === 'FATAL' || severity === 'PANIC';
}

/** Whether the database reported the error, such as that the password is wrong. Its class has another name in a bundle. */
export function isReportedByPostgres(error: unknown): error is Error {
  return textOf(error, 'severity_local') !== undefined;
}

/** Converts errors of the database to a StorageError; returns other errors unchanged. */
export function toPostgresError(error: unknown, { name }: DatabaseAddress): unknown {
  const problem = postgresProblemOf(error);
  return problem === undefined ? error : new StorageError(problem, { database: name }, { cause: error });
}
