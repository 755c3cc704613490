// Several imports or exports in a row, where one that fails costs only itself and cancelling costs only the rest.
import { isAbortError } from '../../../base/cancellation.ts';

export interface Named {
  /** What the person knows the item by: a file's or a workflow's name, plain. */
  readonly name: string;
}

export interface Outcome<Result> {
  /** In the order of the items. */
  readonly done: readonly Result[];
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
  /** How many were not begun, or were given up in the middle. */
  readonly untried: number;
}

export interface Course {
  readonly signal: AbortSignal;
  /** Called before each item with its place, from 0. */
  readonly onBegin: (name: string, place: number) => void;
  /** True for a failure that every other item would meet as well. */
  readonly endsAll: (error: unknown) => boolean;
}

/** Does one item after the other; never rejects. */
export async function eachInTurn<Item extends Named, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { signal, onBegin, endsAll }: Course,
): Promise<Outcome<Result>> {
  const done: Result[] = [];
  const failed: { name: string; error: unknown }[] = [];
  const outcome = (untried: number): Outcome<Result> => ({ done, failed, untried });
  for (const [place, item] of items.entries()) {
    if (signal.aborted) return outcome(items.length - place);
    onBegin(item.name, place);
    try {
      done.push(await work(item, signal));
    } catch (error) {
      if (isAbortError(error)) return outcome(items.length - place);
      failed.push({ name: item.name, error });
      if (endsAll(error)) return outcome(items.length - place - 1);
    }
  }
  return outcome(0);
}
