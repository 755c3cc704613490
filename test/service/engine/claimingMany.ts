// Claims executions one after the other, as an engine without room for more does.
import { systemClock } from '../../../src/base/time.ts';
import { Admissions } from '../../../src/service/engine/admissions.ts';
import { ExecutionLeases } from '../../../src/service/engine/executionLeases.ts';
import { Slots } from '../../../src/service/engine/slots.ts';
import { knownLevel } from '../../../src/service/store/needs.ts';
import type { Store } from '../../../src/service/store/store.ts';

/** Returns the ids of the runs. */
export async function claimMany(store: Store, count: number): Promise<ReadonlySet<string | undefined>> {
  const admissions = new Admissions(systemClock, () => undefined);
  const leases = new ExecutionLeases({
    store,
    admissions,
    slots: new Slots({ computing: 1000, inFlight: 1000 }, () => undefined),
    level: knownLevel,
    canReadSecrets: () => Promise.resolve(true),
    onRest: () => undefined,
  });
  const ids = new Set<string | undefined>();
  for (let claims = 0; claims < count; claims += 1) {
    leases.note();
    ids.add((await leases.claimWorkflowRun())?.id);
  }
  admissions.dispose();
  return ids;
}
