import * as v from 'valibot';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { equalJson, parseJson, stringifyJson } from '../../base/json.ts';
import { maskKeys } from '../../base/masking.ts';
import { SearchError } from '../../domain/errors.ts';
import type { Connections } from '../connections/connections.ts';
import { decodeStoredList, type RecordPort } from '../ports.ts';

const SavedSearchSchema = v.object({ query: v.string(), name: v.string(), isCounted: v.boolean() });
/** A connection has one for each query. isCounted: how many executions it finds stands in the badge of the view. */
export type SavedSearch = Readonly<v.InferOutput<typeof SavedSearchSchema>>;

export const maximumSaved = 20;

export interface SavedSearchesDeps {
  readonly records: RecordPort;
  readonly connections: Pick<Connections, 'onDidRemove'>;
  /** Returns the current prefix of keys, which are stored masked. */
  readonly keyPrefix: () => string;
}

/** The searches that were saved, a record for each connection, in the order in which they were saved. Other windows write the records, too. */
export class SavedSearches implements Disposable {
  readonly #deps: SavedSearchesDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<string>());
  /** Fires with the id of the connection whose searches have changed. */
  readonly onDidChange: Event<string> = this.#changes.event;
  readonly #known = new Map<string, readonly SavedSearch[]>();

  constructor(deps: SavedSearchesDeps) {
    this.#deps = deps;
    this.reload();
    // A connection that can't be read for now isn't listed either, and keeps them.
    this.#owned.add(deps.connections.onDidRemove((connectionId) => void this.#forget(connectionId)));
  }

  /** Reads what other windows have written. */
  reload(): void {
    const stored = this.#deps.records.read();
    for (const connectionId of new Set([...this.#known.keys(), ...stored.keys()]))
      this.#show(connectionId, decode(stored.get(connectionId) ?? ''));
  }

  list(connectionId: string): readonly SavedSearch[] {
    return this.#known.get(connectionId) ?? [];
  }

  find(connectionId: string, query: string): SavedSearch | undefined {
    return this.list(connectionId).find((saved) => saved.query === query);
  }

  /** Throws a SearchError if the connection has as many as it may have, this one not among them. */
  requireRoom(connectionId: string, query: string): void {
    requireRoom(this.list(connectionId), query);
  }

  /** Replaces the one with the same query. Rejects with a SearchError if there are too many. */
  save(connectionId: string, saved: SavedSearch): Promise<void> {
    const query = maskKeys(saved.query, this.#deps.keyPrefix());
    const name = maskKeys(saved.name, this.#deps.keyPrefix());
    const kept = { ...saved, query, name };
    return this.#change(connectionId, (all) => {
      requireRoom(all, query);
      return all.some((each) => each.query === query)
        ? all.map((each) => (each.query === query ? kept : each))
        : [...all, kept];
    });
  }

  remove(connectionId: string, query: string): Promise<void> {
    return this.#change(connectionId, (all) => all.filter((each) => each.query !== query));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #change(
    connectionId: string,
    change: (all: readonly SavedSearch[]) => readonly SavedSearch[],
  ): Promise<void> {
    const { records } = this.#deps;
    return records.exclusively(async () => {
      const stored = records.read().get(connectionId);
      // One that can't be read for now would be lost.
      if (stored === undefined && !records.isGone(connectionId))
        throw new SearchError({ kind: 'savedUnreadable' }, "The saved searches can't be read.");
      const changed = change(decode(stored ?? ''));
      if (changed.length === 0) await records.delete(connectionId);
      else await records.write(connectionId, stringifyJson(changed));
      this.#show(connectionId, changed);
    });
  }

  #show(connectionId: string, searches: readonly SavedSearch[]): void {
    const [before, after] = [this.list(connectionId), searches].map((list) =>
      list.map((each) => ({ ...each })),
    );
    if (searches.length === 0) this.#known.delete(connectionId);
    else this.#known.set(connectionId, searches);
    if (!equalJson(before, after)) this.#changes.fire(connectionId);
  }

  async #forget(connectionId: string): Promise<void> {
    this.#known.delete(connectionId);
    await this.#deps.records.delete(connectionId);
  }
}

function requireRoom(all: readonly SavedSearch[], query: string): void {
  if (all.length < maximumSaved || all.some((each) => each.query === query)) return;
  throw new SearchError(
    { kind: 'tooManySaved', maximum: maximumSaved },
    'There is no room for another search.',
  );
}

function decode(text: string): readonly SavedSearch[] {
  return decodeStoredList(parseJson(text), SavedSearchSchema);
}
