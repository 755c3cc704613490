// Where a text stands in an execution: what an index proposes is confirmed on the record.
import { findInJson } from '../../../domain/findText.ts';
import { type FoundPlace, maximumPlaces } from '../../../domain/search.ts';
import type { Sql, SqlRow } from '../database.ts';
import { findValue } from '../payloads.ts';
import { text } from '../rows.ts';
import { type LogStarts, readRecords, type StoredValue } from './executionValues.ts';

/** In UTF-16 units. A longer path names nothing that anybody reads. */
const longestPath = 1000;

/** Returns the first places of a folded text in the values of an execution. `starts`: what of logs is read already. */
export async function findPlaces(
  sql: Sql,
  execution: SqlRow,
  starts: LogStarts,
  folded: string,
): Promise<readonly FoundPlace[]> {
  const places: FoundPlace[] = [];
  // The output of a node is the input of the next.
  const withoutText = new Set<string>();
  for await (const { values } of readRecords(sql, execution, starts))
    for (const value of values) {
      if (withoutText.has(value.stored)) continue;
      const json = await findValue(sql, text(execution, 'id'), value.stored);
      const found = findInJson(json ?? '', folded, maximumPlaces - places.length);
      if (found.length === 0) withoutText.add(value.stored);
      for (const { path, excerpt } of found) places.push(placeOf(value, path, excerpt));
      if (places.length === maximumPlaces) return places;
    }
  return places;
}

function placeOf({ place, member }: StoredValue, inside: string, excerpt: string): FoundPlace {
  const isJoined = member !== '' && inside !== '' && !inside.startsWith('[');
  const path = `${member}${isJoined ? '.' : ''}${inside}`;
  return { ...place, ...(path !== '' && path.length <= longestPath && { path }), excerpt };
}
