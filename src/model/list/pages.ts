// Reads as many pages as a list needs, bounded, whatever page size a service really gives.
import type { Page } from '../../domain/queries.ts';

const maximumPages = 50;
const maximumPageSize = 100;

/** Reads one page from a cursor (undefined: from the start) with at most `limit` items. */
export type PageReader<T> = (cursor: string | undefined, limit: number) => Promise<Page<T>>;

/** Reads until `wanted` items are there or the list ends: at an empty page, a repeated cursor, or after 50 pages. */
export async function readPages<T>(
  readPage: PageReader<T>,
  from: string | undefined,
  wanted: number,
): Promise<Page<T>> {
  const items: T[] = [];
  let cursor = from;
  for (let pages = 0; pages < maximumPages; pages += 1) {
    const page = await readPage(cursor, Math.min(maximumPageSize, wanted - items.length));
    items.push(...page.items);
    const { nextCursor } = page;
    if (nextCursor === null || nextCursor === cursor || page.items.length === 0)
      return { items, nextCursor: null };
    if (items.length >= wanted) return { items, nextCursor };
    cursor = nextCursor;
  }
  return { items, nextCursor: null };
}
