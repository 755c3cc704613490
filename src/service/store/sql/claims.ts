// An execution belongs to the run that took it last: what an earlier one still writes is refused.
import { type Claim, LostClaimError } from '../store.ts';
import type { Row, SqlDatabase, Transaction } from './database.ts';
import { hasEnded } from './executionRows.ts';
import { integer } from './rows.ts';

/** Throws a LostClaimError when another run has taken the execution of the row, which has its column "claims". */
export function checkClaim(row: Row, claim: number | null): void {
  if (claim !== null && integer(row, 'claims') !== claim) throw new LostClaimError();
}

/** Locks the execution; undefined when it has ended. Rejects with a LostClaimError. */
export async function lockUnfinished(
  database: SqlDatabase,
  transaction: Transaction,
  { executionId, claim }: Claim,
): Promise<Row | undefined> {
  const row = await transaction.get(
    `SELECT id, workflow_id, event_id, status, claims FROM executions
     WHERE id = ? AND NOT ${hasEnded} ${database.lockRows('executions')}`,
    executionId,
  );
  if (row) checkClaim(row, claim);
  return row;
}
