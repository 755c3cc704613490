// What was learned of a service, so that its missing endpoints are not asked for again and again.
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import type { Clock } from '../../base/time.ts';
import type { ServiceError } from '../../domain/serviceError.ts';
import type { OperationName } from '../../protocol/operations.ts';
import type { Attempt, Row } from './endpoints.ts';

/** A missing endpoint is believed this long where another way exists; a gateway's error page looks the same. */
const believedMs = 5 * 60_000;

export interface LadderMemory extends Disposable {
  /** Operations that cannot be had by any way. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
  /** The attempt that worked last. key: which attempts there were. */
  winner(key: string): Attempt | undefined;
  /** The refusal of a walk that lately found none. */
  refusal(key: string): ServiceError | undefined;
  recordWinner(key: string, attempt: Attempt): void;
  recordRefusal(key: string, error: ServiceError): void;
  /** Whether a whole row is there. otherwise: what can stand in for it. */
  recordOffer(name: OperationName, isOffered: boolean, otherwise: Row['otherwise']): void;
  forget(): void;
}

export function createLadderMemory(clock: Clock): LadderMemory {
  const winners = new Map<string, Attempt>();
  const refusals = new Map<string, { readonly error: ServiceError; readonly until: number }>();
  const missing = new Map<OperationName, Row['otherwise']>();
  const notOffered = new ObservableValue<ReadonlySet<OperationName>>(new Set());

  function announce(): void {
    const names = [...missing].filter(([, otherwise]) => otherwise === undefined || missing.has(otherwise));
    notOffered.set(new Set(names.map(([name]) => name)));
  }

  return {
    notOffered,
    winner: (key) => winners.get(key),
    refusal(key) {
      const found = refusals.get(key);
      return found !== undefined && found.until > clock.now() ? found.error : undefined;
    },
    recordWinner(key, attempt) {
      winners.set(key, attempt);
      refusals.delete(key);
    },
    recordRefusal(key, error) {
      winners.delete(key);
      refusals.set(key, { error, until: clock.now() + believedMs });
    },
    recordOffer(name, isOffered, otherwise) {
      if (missing.has(name) === !isOffered) return;
      if (isOffered) missing.delete(name);
      else missing.set(name, otherwise);
      announce();
    },
    forget() {
      winners.clear();
      refusals.clear();
      if (missing.size === 0) return;
      missing.clear();
      announce();
    },
    dispose: () => notOffered.dispose(),
  };
}
