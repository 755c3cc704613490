// What the search needs of a database: an index of texts, each in parts, that proposes executions.
import type { Sql, Transaction } from '../database.ts';

/** A part of the values of an execution. */
export interface IndexedPart {
  /** Of the execution. */
  readonly position: number;
  /** From 0, less than `maximumParts`. */
  readonly part: number;
  /** Folded, with a line for each value. */
  readonly text: string;
}

/** How many parts an execution can have: as many as fit in the number that SQLite knows a part by. */
export const maximumParts = 2 ** 16;
/** In characters. A shorter text is in too many executions, and no index knows it. */
export const shortestIndexed = 3;

/**
 * Executions that were deleted are removed from it by triggers of the database. It may propose an execution in which a text doesn't stand,
 * but misses none of those that it has.
 */
export interface SearchIndex {
  /** How many executions, and how many UTF-16 units of their values, are added at once. */
  readonly step: { readonly executions: number; readonly units: number };
  /** Whether the database has what it needs. */
  isAvailable(sql: Sql): Promise<boolean>;
  add(transaction: Transaction, parts: readonly IndexedPart[]): void;
  /**
   * Returns the positions before `before` of the newest executions that may have the folded text in a value, newest first. They can repeat.
   * Fewer than `limit`: there are no more.
   */
  propose(sql: Sql, folded: string, before: number, limit: number): Promise<readonly number[]>;
  /** Does a bounded part of the work that keeps it quick. */
  tidy(transaction: Transaction): Promise<void>;
}

/** Databases change other characters when they store them. */
export function toIndexed(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
