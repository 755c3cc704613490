// A service that the scenarios go through, whatever its kind.
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Clock } from '../../src/base/time.ts';

/** What a workflow of the scenarios does with its input, `{message}`. */
export type Behavior = 'answers' | 'fails' | 'waits';

export interface Subject {
  readonly client: ServicePort;
  /** The clock of what's waited for. */
  readonly clock: Clock;
  /** Another client, with a key that the service doesn't know. */
  readonly connectWithout: () => ServicePort;
  /**
   * A definition of the service's own. "answers": its last node gives the message. "fails": its last node, "Stop", fails with "No
   * stock.". "waits": its last node, "Rest", waits for a minute.
   */
  readonly definitionOf: (behavior: Behavior, name: string) => JsonObject;
  close(): Promise<void>;
}
