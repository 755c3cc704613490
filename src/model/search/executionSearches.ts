import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stringifyJson } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isServiceError, SearchError } from '../../domain/errors.ts';
import type { SearchFilter } from '../../domain/search.ts';
import type { Clients, KnownConnections } from '../connections/clients.ts';
import type { Executions } from '../executions/executions.ts';
import { findByIdOrName } from '../workflows/workflowNames.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { ClientSearch } from './clientSearch.ts';
import { ExecutionSearch } from './executionSearch.ts';
import { SearchedTexts } from './searchedTexts.ts';
import type { ResolvedFilter } from './searchFilter.ts';
import type { SearchWork } from './searchWork.ts';
import { ServiceSearch } from './serviceSearch.ts';

export interface ExecutionSearchesDeps {
  readonly connections: Pick<KnownConnections, 'all' | 'find' | 'onDidChangeKey'>;
  readonly clients: Clients;
  readonly executions: Executions;
  readonly workflows: Workflows;
  readonly clock: Clock;
  /** Default: a store of its own. */
  readonly texts?: SearchedTexts;
}

/** How long a search in the background takes the workflows of a name as known, which takes a request for each hundred of all. */
const knownMs = 10 * 60_000;

export interface SearchOptions {
  /** How many executions are found before it ends. Default: a page. */
  readonly wanted?: number;
  /** What its first request is for. Default: "asked". */
  readonly purpose?: Purpose | undefined;
}

interface NamedWorkflows {
  readonly ids: readonly string[];
  /** In epoch milliseconds. */
  readonly foundAt: number;
}

/** Begins searches: by the service where it offers that, else on this side. */
export class ExecutionSearches implements Disposable {
  readonly #deps: ExecutionSearchesDeps;
  readonly #texts: SearchedTexts;
  readonly #owned = new DisposableStore();
  /** By the connection and the name. */
  readonly #named = new BoundedMap<string, NamedWorkflows>(100);

  constructor(deps: ExecutionSearchesDeps) {
    this.#deps = deps;
    this.#texts = deps.texts ?? new SearchedTexts();
    const { connections } = deps;
    this.#owned.add(
      connections.all.onDidChange(() =>
        this.#texts.retain((connectionId) => connections.find(connectionId) !== undefined),
      ),
    );
    // Another key may not read the same.
    this.#owned.add(
      connections.onDidChangeKey((connectionId) => this.#texts.retain((each) => each !== connectionId)),
    );
  }

  /** Begins a search, which its caller disposes of. */
  begin(connectionId: string, filter: SearchFilter, options: SearchOptions = {}): ExecutionSearch {
    const { clients, clock } = this.#deps;
    const { purpose = 'asked' } = options;
    return new ExecutionSearch({
      ...options,
      clock,
      waitMs: () => clients.get(connectionId).budget.waitMs('search'),
      begin: (signal) => this.#choose(connectionId, filter, { signal, purpose }),
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #choose(
    connectionId: string,
    filter: SearchFilter,
    { signal, purpose }: { readonly signal: AbortSignal; readonly purpose: Purpose },
  ): Promise<SearchWork> {
    const { clients, executions } = this.#deps;
    const client = clients.get(connectionId);
    const { workflow } = filter;
    const workflowIds =
      workflow === null
        ? null
        : ((purpose === 'asked' ? undefined : this.#knownWorkflows(connectionId, workflow)) ??
          (await this.#findWorkflows(connectionId, workflow, signal)));
    const resolved: ResolvedFilter = { ...filter, workflowIds };
    const offersSearch = (): boolean => client.capabilities.current.has('search');
    // What a service offers is known by its first response.
    if (!offersSearch()) await executions.search(connectionId, { limit: 1 }, signal, purpose);
    if (offersSearch()) return new ServiceSearch(executions, connectionId, resolved);
    return new ClientSearch({
      connectionId,
      filter: resolved,
      list: (query, options) => executions.search(connectionId, query, options.signal, options.purpose),
      reads: client.executions,
      texts: this.#texts,
    });
  }

  #knownWorkflows(connectionId: string, name: string): readonly string[] | undefined {
    const known = this.#named.get(stringifyJson([connectionId, name]));
    return known !== undefined && this.#deps.clock.now() - known.foundAt < knownMs ? known.ids : undefined;
  }

  /** Rejects with a SearchError if no workflow is known by this id or name. */
  async #findWorkflows(
    connectionId: string,
    wanted: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { workflows } = this.#deps;
    const target = { connectionId, workflowId: wanted };
    if (workflows.find(target) !== undefined || workflows.isDeleted(target)) return [wanted];
    const all = await workflows.listWhole(connectionId, { signal });
    const found = findByIdOrName(all, wanted).map(({ id }) => id);
    if (found.length > 0) {
      const foundAt = this.#deps.clock.now();
      this.#named.set(stringifyJson([connectionId, wanted]), { ids: found, foundAt });
      return found;
    }
    if (await this.#hasExecutions(target, signal)) return [wanted];
    throw new SearchError({ kind: 'unknownWorkflow', workflow: wanted }, `No workflow "${wanted}".`);
  }

  /** Those of a deleted workflow may still be there. */
  async #hasExecutions(
    { connectionId, workflowId }: { readonly connectionId: string; readonly workflowId: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    // A name with a space can't be an id.
    if (!/^[\w.-]+$/.test(workflowId)) return false;
    try {
      const { items } = await this.#deps.executions.search(connectionId, { workflowId, limit: 1 }, signal);
      return items.some((each) => each.workflowId === workflowId);
    } catch (error) {
      if (isServiceError(error, 'notFound') || isServiceError(error, 'invalid')) return false;
      throw error;
    }
  }
}
