// Choosing from a list of the service, whatever it lists: what is read becomes rows, a failure becomes words.
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { SearchableList, SearchableListState } from '../../model/list/searchableList.ts';
import { describeError } from '../words/describeError.ts';
import { chooseGrowing, type GrowingChoices } from '../../editor/picks/growingPick.ts';
import type { Choice } from '../../editor/prompts.ts';
import type { PlainError } from '../../editor/plainError.ts';

export interface ListLook<T, V> {
  readonly placeholder: string;
  readonly toChoice: (item: T) => Choice<V>;
  /** A choice that stands for what is typed rather than for an item. */
  readonly typed?: (text: string) => Choice<V> | undefined;
  /** What stands beside "Load More…". */
  readonly describeMore: (state: SearchableListState<T>) => string;
  /** Met where there is nothing to choose from. */
  readonly nothing: PlainError;
  /** Something else that the rows are made of changed. */
  readonly onDidChangeLook?: Event<unknown>;
}

/** Why there is nothing to choose from; null while there may be. */
function failureOf<T>(
  { hasData, items, hasMore, error }: SearchableListState<T>,
  nothing: PlainError,
): Error | null {
  if (!hasData) return error;
  return items.length === 0 && !hasMore ? nothing : null;
}

/** Lets a person choose from the list, which is disposed of then. Rejects with Cancelled on Escape. */
export async function chooseFromList<T extends { readonly id: string }, V>(
  list: SearchableList<T>,
  look: ListLook<T, V>,
): Promise<V> {
  const { placeholder, toChoice, typed, describeMore, nothing, onDidChangeLook } = look;
  let made: { readonly of: readonly T[]; readonly looks: number; readonly choices: readonly Choice<V>[] } = {
    of: [],
    looks: 0,
    choices: [],
  };
  let looks = 0;
  const choicesOf = ({ items }: SearchableListState<T>): readonly Choice<V>[] => {
    if (made.of !== items || made.looks !== looks) made = { of: items, looks, choices: items.map(toChoice) };
    return made.choices;
  };
  const read = (): GrowingChoices<V> => {
    const state = list.state.current;
    const { hasData, isBusy, hasMore, error } = state;
    const words = error === null ? describeMore(state) : describeError(error, Date.now()).message;
    const more = hasData && (hasMore || error !== null) ? words : null;
    return { choices: choicesOf(state), isBusy, more, failure: failureOf(state, nothing) };
  };
  const owned = new DisposableStore();
  owned.add(list);
  const changes = owned.add(new Emitter<undefined>());
  owned.add(list.state.onDidChange(() => changes.fire(undefined)));
  const redraw = onDidChangeLook?.(() => {
    looks += 1;
    changes.fire(undefined);
  });
  if (redraw) owned.add(redraw);
  try {
    return await chooseGrowing(placeholder, {
      read,
      onDidChange: changes.event,
      search: (text) => list.search(text),
      loadMore: () => list.loadMore(),
      ...(typed === undefined ? {} : { typed }),
    });
  } finally {
    owned.dispose();
  }
}
