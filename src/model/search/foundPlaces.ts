import { plainLine } from '../../base/format.ts';
import { findInJson, foldText } from '../../domain/findText.ts';
import { type FoundPlace, maximumPlaces } from '../../domain/search.ts';
import type { SearchedText } from './searchedTexts.ts';

/** In UTF-16 units: the longest text that is searched for, with what stands around it. */
const longestExcerpt = 400;

/** The places of a text in one execution, as many as are told. */
export class FoundPlaces {
  readonly #folded: string;
  readonly #places = new Map<string, FoundPlace>();

  constructor(text: string) {
    this.#folded = foldText(text);
  }

  get all(): readonly FoundPlace[] {
    return [...this.#places.values()];
  }

  look({ place, nodeId, iteration, json }: SearchedText): void {
    if (this.#places.size >= maximumPlaces) return;
    for (const { path, excerpt } of findInJson(json, this.#folded, maximumPlaces)) {
      // Rows of the same run repeat its values.
      const name = [place, nodeId, iteration?.join('.'), path].join('\n');
      if (this.#places.size >= maximumPlaces || this.#places.has(name)) continue;
      this.#places.set(name, {
        place,
        ...(nodeId !== undefined && { nodeId }),
        ...(iteration !== undefined && { iteration }),
        ...(path !== '' && { path }),
        excerpt: plainLine(excerpt, longestExcerpt),
      });
    }
  }
}
