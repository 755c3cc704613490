// Finds the known words that an author probably meant.

/** Longer words aren't compared: an ID has at most as many letters, and the cost is the product of two lengths. */
const maximumLength = 64;
/** Words with more wrong letters than this aren't considered mistyped. */
const maximumDistance = 4;

/** Returns the known words that are closest to a mistyped one: none if none is close, several if they are equally close. */
export function nearestWords(typed: string, known: Iterable<string>): readonly string[] {
  if (typed.length > maximumLength) return [];
  let nearest: string[] = [];
  let least = Math.min(maximumDistance, Math.floor(typed.length * 0.4));
  for (const word of known) {
    if (Math.abs(word.length - typed.length) > least) continue;
    const distance = distanceBetween(typed.toLowerCase(), word.toLowerCase(), least);
    if (distance > least) continue;
    nearest = distance < least ? [word] : [...nearest, word];
    least = distance;
  }
  return nearest;
}

/** The number of letters to insert, delete, replace or swap with the next one; Infinity if it's more than `most`. */
function distanceBetween(one: string, other: string, most: number): number {
  let previous: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      let distance = Math.min(replaced, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) distance = Math.min(distance, (previous[column - 2] ?? Infinity) + 1);
      next.push(distance);
      least = Math.min(least, distance);
    }
    if (least > most) return Infinity;
    [previous, last] = [last, next];
  }
  return last[other.length] ?? Infinity;
}
