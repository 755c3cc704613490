// What the engine needs of OpenWorkflow's storage, whichever database that is.
import type { Backend } from 'openworkflow/internal';

export interface EngineBackend {
  readonly runs: Backend;
  /** Ends the leases that nobody can hold any more, so that their runs can be claimed at once; called before the engine starts. */
  releaseRuns(): Promise<void>;
}

/** A worker claims a run for each free slot at once. This chains the claims and drops those after the first that finds no run. */
export function stopClaimingAtNone(runs: Backend): Backend {
  const claim = runs.claimWorkflowRun.bind(runs);
  let look: ReturnType<typeof claim> | undefined;
  const claimInTurn: typeof claim = (params) => {
    const before = look;
    const own = before ? before.then((found) => (found === null ? null : claim(params))) : claim(params);
    look = own;
    const forget = (): void => {
      if (look === own) look = undefined;
    };
    own.then(forget, forget);
    return own;
  };
  return new Proxy(runs, {
    get: (target, name): unknown => (name === 'claimWorkflowRun' ? claimInTurn : Reflect.get(target, name)),
  });
}
