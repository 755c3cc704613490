// What this n8n offers of what not every one does: found by asking, since older ones have fewer calls and no MCP server.
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { Capability } from '../../protocol/operations.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyReader } from '../servicePort.ts';
import { executesDrafts } from './drafts.ts';
import type { McpServer } from './mcp.ts';
import { n8nOperations } from './operations.ts';

interface OffersDeps {
  readonly mcp: McpServer;
  /** Of the MCP server. */
  readonly token: KeyReader;
  /** Of the API, without an owner: what it refuses here says nothing of the connection. */
  readonly api: Transport;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** After a failure nothing is asked for so long, in milliseconds. */
const restMs = 60_000;

export class N8nOffers implements Disposable {
  readonly #deps: OffersDeps;
  readonly #offered = new ObservableValue<ReadonlySet<Capability>>(
    new Set(['cancel', 'retry', 'definition']),
  );
  readonly #ended = new AbortController();
  #asked: Promise<void> | undefined;
  #canCancel: boolean | undefined;
  /** The token that drafts were asked with; '' for none. */
  #draftsOf: string | undefined;
  #restsUntil = -Infinity;

  constructor(deps: OffersDeps) {
    this.#deps = deps;
  }

  get offered(): Observable<ReadonlySet<Capability>> {
    return this.#offered;
  }

  /** Asks what isn't known, or what another token may change. Never rejects. */
  refresh(): Promise<void> {
    this.#asked ??= this.#ask().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #ask(): Promise<void> {
    const { clock, logger, token } = this.#deps;
    if (this.#ended.signal.aborted || clock.now() < this.#restsUntil) return;
    try {
      const now = (await token()) ?? '';
      if (this.#canCancel === undefined) this.#set('cancel', (this.#canCancel = await this.#hasStop()));
      if (now === this.#draftsOf) return;
      this.#set('draft', now !== '' && (await executesDrafts(this.#deps.mcp)));
      this.#draftsOf = now;
    } catch (error) {
      this.#restsUntil = clock.now() + restMs;
      if (!isAbortError(error)) logger.warn(`n8n didn't say what it offers: ${String(error)}`);
    }
  }

  /** Of a call that it has, n8n refuses another method with 405. */
  async #hasStop(): Promise<boolean> {
    const operation = { ...n8nOperations.stopExecution, method: 'GET' } as const;
    try {
      await this.#deps.api.call({ operation, values: { executionId: '0' } }, { signal: this.#ended.signal });
    } catch (error) {
      if (!isServiceError(error) || error.status === 0 || error.status >= 500) throw error;
      return error.status !== 404;
    }
    return true;
  }

  #set(capability: Capability, isOffered: boolean): void {
    const { current } = this.#offered;
    if (current.has(capability) === isOffered) return;
    const others = [...current].filter((each) => each !== capability);
    this.#offered.set(new Set(isOffered ? [...others, capability] : others));
  }
}
