// Runs several imports or exports one after the other. A failure affects only its own item, and cancelling only the remaining ones.
import { isAbortError } from '../../../base/async.ts';

export interface Named {
  /** The name of the file or workflow, sanitized for display. */
  readonly name: string;
}

export interface Outcome<Result> {
  /** In the order of the items. */
  readonly done: readonly Result[];
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
  /** The number of items that weren't started, or were cancelled. */
  readonly untried: number;
}

export interface Course {
  readonly signal: AbortSignal;
  /** Called before each item with its 0-based index. */
  readonly onBegin: (name: string, place: number) => void;
  /** True for a failure that would affect every other item as well. */
  readonly endsAll: (error: unknown) => boolean;
}

/** Processes one item after the other. Never rejects. */
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
