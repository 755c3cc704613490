// Which of the known words somebody probably meant.

/** Longer words aren't compared: an ID has at most as many letters, and the cost is the product of two lengths. */
const maximumLength = 64;

/** Returns the known words that are closest to a mistyped one: none if none is close, several if they are equally close. */
export function nearestWords(typed: string, known: Iterable<string>): readonly string[] {
  if (typed.length > maximumLength) return [];
  let nearest: string[] = [];
  let least = Math.floor(typed.length * 0.4);
  for (const word of known) {
    if (Math.abs(word.length - typed.length) > least) continue;
    const distance = distanceBetween(typed.toLowerCase(), word.toLowerCase());
    if (distance > least) continue;
    nearest = distance < least ? [word] : [...nearest, word];
    least = distance;
  }
  return nearest;
}

/** The number of letters to insert, delete, replace or swap with the next one. */
function distanceBetween(one: string, other: string): number {
  let previous: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const at = (line: readonly number[], index: number): number => line[index] ?? Infinity;
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(previous, column - 2) + 1 : Infinity,
        ),
      );
    }
    [previous, last] = [last, next];
  }
  return last[other.length] ?? Infinity;
}
