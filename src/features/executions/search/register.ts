// The commands on searches: the one that the view shows, what it found, and those that were saved.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { askText, Cancelled, withLateProgress } from '../../../editor/prompts/prompts.ts';
import { viewIds } from '../../../editor/ids.ts';
import { isCountedByList } from '../../../model/search/searchCounts.ts';
import { searchExecutions } from '../../../model/search/searchExecutions.ts';
import { parseSearch } from '../../../model/search/searchQuery.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import { stateOf } from '../../../words/executionWords.ts';
import { type ActDeps, actOnFound } from './actOnFound.ts';
import { askSearch } from './askSearch.ts';
import { openFound, type OpenFoundDeps } from './openFound.ts';
import type { ShownSearch } from './shownSearch.ts';

type SearchDeps = ActDeps & OpenFoundDeps & Pick<App, 'connections' | 'savedSearches' | 'searches'>;

/** How many queries are offered again. */
const maximumRecent = 10;

/** Asks for a search and shows it in the view. */
class AskedSearches {
  readonly #deps: SearchDeps;
  readonly #search: ShownSearch;
  /** The latest one first. */
  #recent: readonly string[] = [];

  constructor(deps: SearchDeps, search: ShownSearch) {
    this.#deps = deps;
    this.#search = search;
  }

  /** Starts from the search that is shown. Rejects with Cancelled on Escape. */
  async ask(): Promise<void> {
    const { id: connectionId } = requireActiveConnection(this.#deps.connections);
    const shown = this.#search.shown.current?.query ?? '';
    const query = await askSearch(this.#deps, connectionId, shown, this.#recent);
    await this.show(connectionId, query);
  }

  async show(connectionId: string, query: string): Promise<void> {
    this.#recent = [query, ...this.#recent.filter((each) => each !== query)].slice(0, maximumRecent);
    this.#search.begin(connectionId, query);
    await vscode.commands.executeCommand(`${viewIds.executions}.focus`);
  }
}

function registerShown({ commands }: SearchDeps, search: ShownSearch): Disposable {
  const plain = (
    name:
      | 'executions.pauseSearch'
      | 'executions.resumeSearch'
      | 'executions.cancelSearch'
      | 'executions.clearSearch'
      | 'executions.loadMoreFound',
    act: () => void,
  ) =>
    commands.registerPlain(name, () => {
      act();
      return Promise.resolve();
    });
  return combine(
    plain('executions.pauseSearch', () => search.pause()),
    plain('executions.resumeSearch', () => search.goOn()),
    plain('executions.cancelSearch', () => search.cancel()),
    plain('executions.clearSearch', () => search.clear()),
    plain('executions.loadMoreFound', () => search.more()),
  );
}

function registerFound(deps: SearchDeps, search: ShownSearch): Disposable {
  const { commands } = deps;
  return combine(
    commands.register<'execution.openFound', ExecutionTarget & { readonly at?: number | undefined }>(
      'execution.openFound',
      {
        ask: () => Promise.reject(new Cancelled()),
        run: ({ at = 0, connectionId, executionId }) => {
          const target = { connectionId, executionId };
          const text = search.shown.current?.filter.text ?? null;
          return openFound(deps, target, search.find(target)?.found?.[at], text);
        },
      },
    ),
    commands.registerPlain('executions.actOnFound', () => actOnFound(deps, search)),
  );
}

/** Refuses to count what would cost a request for each execution, again and again. */
function refuseCount({ clock, services }: SearchDeps, connectionId: string, query: string): void {
  if (services.offers(connectionId, 'search')) return;
  if (isCountedByList(parseSearch(query, clock).filter)) return;
  throw new PlainError(
    vscode.l10n.t(
      "This service can't search, so only searches by status, workflow, time, duration and kind can be counted.",
    ),
  );
}

function registerSaved(deps: SearchDeps, search: ShownSearch, asked: AskedSearches): Disposable {
  const { commands, savedSearches } = deps;
  const never = () => Promise.reject(new Cancelled());
  const setCounted = async (connectionId: string, query: string, isCounted: boolean): Promise<void> => {
    const saved = savedSearches.find(connectionId, query);
    if (saved !== undefined) await savedSearches.save(connectionId, { ...saved, isCounted });
  };
  return combine(
    // Another window may have saved or removed one.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) savedSearches.reload();
    }),
    commands.registerPlain('executions.saveSearch', async () => {
      const { connectionId, query } = search.shown.current ?? {};
      if (connectionId === undefined || query === undefined)
        throw new PlainError(vscode.l10n.t('No search is shown.'));
      savedSearches.requireRoom(connectionId, query);
      const saved = savedSearches.find(connectionId, query);
      const name = await askText({
        prompt: vscode.l10n.t('Name of the saved search'),
        value: saved?.name ?? query,
        validate: (text) =>
          savedSearches.list(connectionId).some((each) => each.name === text.trim() && each.query !== query)
            ? vscode.l10n.t('Another saved search has this name.')
            : undefined,
      });
      const { isCounted = false } = saved ?? {};
      await savedSearches.save(connectionId, { query, name: name === '' ? query : name, isCounted });
    }),
    commands.register('savedSearch.run', {
      ask: never,
      run: async ({ connectionId, query }) => asked.show(connectionId, query),
    }),
    commands.register('savedSearch.remove', {
      ask: never,
      run: async (_saved, { selected }) => {
        for (const { connectionId, query } of selected) await savedSearches.remove(connectionId, query);
      },
    }),
    commands.register('savedSearch.showBadge', {
      ask: never,
      run: async (_saved, { selected }) => {
        for (const { connectionId, query } of selected) refuseCount(deps, connectionId, query);
        for (const { connectionId, query } of selected) await setCounted(connectionId, query, true);
      },
    }),
    commands.register('savedSearch.hideBadge', {
      ask: never,
      run: async (_saved, { selected }) => {
        for (const { connectionId, query } of selected) await setCounted(connectionId, query, false);
      },
    }),
  );
}

/** How many executions code gets unless it says otherwise. */
const foundByDefault = 200;

/** Code gets what is found. For a user it's shown in the view. */
function registerSearch(deps: SearchDeps, asked: AskedSearches): Disposable {
  const { commands, connections } = deps;
  return commands.register('execution.search', {
    ask: () => Promise.resolve({ query: undefined, limit: undefined }),
    run: async ({ query, limit = foundByDefault }, { isInteractive }) => {
      const { id: connectionId } = requireActiveConnection(connections);
      if (isInteractive) {
        await (query === undefined ? asked.ask() : asked.show(connectionId, query));
        return undefined;
      }
      const { found } = await withLateProgress(deps, vscode.l10n.t('Searching executions…'), (signal) =>
        searchExecutions(deps, connectionId, query ?? '', { limit, signal }),
      );
      return found.map((execution) => ({
        id: execution.id,
        workflowId: execution.workflowId,
        status: stateOf(execution),
        ...(execution.found !== undefined && { found: execution.found }),
      }));
    },
  });
}

export function registerSearching(deps: SearchDeps, search: ShownSearch): Disposable {
  const asked = new AskedSearches(deps, search);
  return combine(
    registerSearch(deps, asked),
    registerShown(deps, search),
    registerFound(deps, search),
    registerSaved(deps, search, asked),
  );
}
