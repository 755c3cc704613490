// An execution belongs to the run that took it last: what an earlier one still writes is refused.
import { LostClaimError } from '../store.ts';
import type { Row } from './database.ts';
import { integer } from './rows.ts';

/** Throws a LostClaimError when another run has taken the execution of the row, which has its column "claims". */
export function checkClaim(row: Row, claim: number | null): void {
  if (claim !== null && integer(row, 'claims') !== claim) throw new LostClaimError();
}
