import type { Clock } from '../../base/time.ts';
import type { HttpResponse } from '../http/httpPort.ts';

/** The clock of a service, which may differ by minutes from this machine's. Responses have its time, in whole seconds. */
export class ServiceClock {
  readonly #clock: Pick<Clock, 'now'>;
  #aheadMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** See ServicePort. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Takes what a response says. */
  note(headers: HttpResponse['headers']): void {
    const time = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(time)) this.#aheadMs = time - this.#clock.now();
  }
}
