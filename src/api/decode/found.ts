// Decodes where a service found the text of a search (contract section 9).
import * as v from 'valibot';
import { plainLine } from '../../base/format.ts';
import { isJsonArray, type JsonObject } from '../../base/json.ts';
import { type FoundPlace, maximumPlaces, searchedParts } from '../../domain/search.ts';

/** In UTF-16 units. A longer excerpt is cut; a longer id or path names nothing that can be opened. */
const longest = { excerpt: 400, place: 2000 } as const;
const maximumLoops = 100;

const place = v.optional(v.fallback(v.pipe(v.string(), v.maxLength(longest.place)), ''), '');
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const iteration = v.fallback(v.pipe(v.array(index), v.maxLength(maximumLoops)), []);

const FoundSchema = v.object({
  in: v.picklist(searchedParts),
  nodeId: place,
  iteration: v.optional(iteration, []),
  path: place,
  excerpt: v.string(),
});

/** undefined for a record that says nothing of it. Entries that can't be read are left out. */
export function decodeFound({ found = null }: JsonObject): readonly FoundPlace[] | undefined {
  if (!isJsonArray(found)) return undefined;
  return found.slice(0, maximumPlaces).flatMap((each) => {
    const decoded = v.safeParse(FoundSchema, each);
    if (!decoded.success) return [];
    const { in: part, nodeId, iteration: turns, path, excerpt } = decoded.output;
    return [
      {
        place: part,
        ...(nodeId !== '' && { nodeId }),
        ...(turns.length > 0 && { iteration: turns }),
        ...(path !== '' && { path }),
        excerpt: plainLine(excerpt, longest.excerpt),
      },
    ];
  });
}
