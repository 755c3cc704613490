// What this n8n offers of what not every one does: found by asking, since older ones have fewer calls and no MCP server.
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError, type ServiceError } from '../../domain/errors.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Capability, Operation } from '../../protocol/operations.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyReader } from '../servicePort.ts';
import { executesDrafts } from './drafts.ts';
import type { McpServer } from './mcp.ts';
import { n8nOperations, savedAlone } from './operations.ts';
import { unknownParameter } from './versionTransport.ts';

interface OffersDeps {
  readonly mcp: McpServer;
  readonly hasMcp: (options?: CallOptions) => Promise<boolean>;
  /** Of the MCP server. */
  readonly token: KeyReader;
  /** Of the API, without an owner: what it refuses here says nothing of the connection. */
  readonly api: Transport;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** After a failure nothing is asked for so long, in milliseconds. */
const restMs = 60_000;

/** What is asked for only where an n8n can't cancel, and so is an older one. */
const ofVersion2 = ['archive', 'mcp', 'saveAlone'] as const;

export class N8nOffers implements Disposable {
  readonly #deps: OffersDeps;
  readonly #offered = new ObservableValue<ReadonlySet<Capability>>(
    new Set(['cancel', 'retry', 'definition', ...ofVersion2]),
  );
  readonly #ended = new AbortController();
  #asked: Promise<void> | undefined;
  #isVersionKnown = false;
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

  /** The same for somebody who waits for it: resolves with what is known then. */
  async learn(): Promise<ReadonlySet<Capability>> {
    await this.refresh();
    return this.#offered.current;
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #ask(): Promise<void> {
    const { clock, logger, token } = this.#deps;
    if (this.#ended.signal.aborted || clock.now() < this.#restsUntil) return;
    try {
      const now = (await token()) ?? '';
      if (!this.#isVersionKnown) await this.#askVersion();
      if (now === this.#draftsOf) return;
      this.#set('draft', await executesDrafts(this.#deps.mcp));
      this.#draftsOf = now;
    } catch (error) {
      this.#restsUntil = clock.now() + restMs;
      if (!isAbortError(error)) logger.warn(`n8n didn't say what it offers: ${String(error)}`);
    }
  }

  async #askVersion(): Promise<void> {
    const canCancel = await this.#has(n8nOperations.stopExecution);
    this.#set('cancel', canCancel);
    if (!canCancel) {
      // Its records have the nodes with all that their parameters are by default, which nobody wrote.
      this.#set('definition', false);
      this.#set('archive', await this.#has(n8nOperations.archiveWorkflow));
      this.#set('saveAlone', await this.#savesAlone());
      this.#set('mcp', await this.#deps.hasMcp({ signal: this.#ended.signal }));
    }
    this.#isVersionKnown = true;
  }

  /** Of a call that it has, n8n refuses another method with 405. */
  async #has({ path }: Operation): Promise<boolean> {
    const values = { executionId: '0', workflowId: '0' };
    return (await this.#refusalOf({ operation: { method: 'GET', path }, values }))?.status !== 404;
  }

  /** Refused in any case, and by an older one for its query. */
  async #savesAlone(): Promise<boolean> {
    const refusal = await this.#refusalOf({
      operation: n8nOperations.replaceWorkflow,
      values: { workflowId: '0' },
      query: savedAlone,
      body: {},
    });
    return unknownParameter(refusal) === undefined;
  }

  /** Rejects where the service doesn't respond. */
  async #refusalOf(request: ServiceRequest): Promise<ServiceError | undefined> {
    try {
      await this.#deps.api.call(request, { signal: this.#ended.signal });
      return undefined;
    } catch (error) {
      if (!isServiceError(error) || error.status === 0 || error.status >= 500) throw error;
      return error;
    }
  }

  #set(capability: Capability, isOffered: boolean): void {
    const { current } = this.#offered;
    if (current.has(capability) === isOffered) return;
    const others = [...current].filter((each) => each !== capability);
    this.#offered.set(new Set(isOffered ? [...others, capability] : others));
  }
}
