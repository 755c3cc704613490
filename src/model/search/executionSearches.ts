import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
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

/** Among so many workflows a name is looked for. */
const maximumWorkflows = 10_000;

/** Begins searches: by the service where it offers that, else on this side. */
export class ExecutionSearches implements Disposable {
  readonly #deps: ExecutionSearchesDeps;
  readonly #texts: SearchedTexts;
  readonly #owned = new DisposableStore();

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

  /** Begins a search, which its caller disposes of. `wanted`: how many executions are found before it ends; default: a page. */
  begin(connectionId: string, filter: SearchFilter, wanted?: number): ExecutionSearch {
    const { clients, clock } = this.#deps;
    return new ExecutionSearch({
      clock,
      wanted,
      waitMs: () => clients.get(connectionId).budget.waitMs('search'),
      begin: (signal) => this.#choose(connectionId, filter, signal),
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #choose(connectionId: string, filter: SearchFilter, signal: AbortSignal): Promise<SearchWork> {
    const { clients, executions } = this.#deps;
    const client = clients.get(connectionId);
    const workflowIds =
      filter.workflow === null ? null : await this.#findWorkflows(connectionId, filter.workflow, signal);
    const resolved: ResolvedFilter = { ...filter, workflowIds };
    const offersSearch = (): boolean => client.capabilities.current.has('search');
    // What a service offers is known by its first response.
    if (!offersSearch()) await executions.search(connectionId, { limit: 1 }, signal);
    if (offersSearch()) return new ServiceSearch(executions, connectionId, resolved);
    return new ClientSearch({
      connectionId,
      filter: resolved,
      list: (query, options) => executions.search(connectionId, query, options.signal, options.purpose),
      reads: client.executions,
      texts: this.#texts,
    });
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
    const all = await workflows.listWhole(connectionId, { limit: maximumWorkflows, signal });
    const found = findByIdOrName(all, wanted).map(({ id }) => id);
    if (found.length > 0) return found;
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
