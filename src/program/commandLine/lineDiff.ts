// The difference of two texts, line by line, as `diff -u` writes it.

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

const context = 3;
/** Of texts that differ in more lines, all lines are replaced: finding the shortest way takes time and memory by its square. */
const maximumSteps = 1000;

/** Empty where they're equal. */
export function renderDiff(before: string, after: string): string {
  const lines = compareLines(before.split(/\r\n|\r|\n/), after.split(/\r\n|\r|\n/));
  return hunksOf(lines)
    .map(([start, end]) => {
      const [old, now] = [countOf(lines, 0, start, '+'), countOf(lines, 0, start, '-')];
      const sizes = [countOf(lines, start, end, '+'), countOf(lines, start, end, '-')];
      const shown = lines.slice(start, end).map(({ sign, text }) => `${sign}${text}`);
      return [`@@ -${old + 1},${sizes[0] ?? 0} +${now + 1},${sizes[1] ?? 0} @@`, ...shown].join('\n');
    })
    .join('\n');
}

function countOf(lines: readonly Line[], start: number, end: number, without: Line['sign']): number {
  return lines.slice(start, end).filter(({ sign }) => sign !== without).length;
}

/** The parts around what differs. */
function hunksOf(lines: readonly Line[]): readonly (readonly [start: number, end: number])[] {
  const hunks: [number, number][] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const [start, end] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  }
  return hunks;
}

function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ sign: ' ', text }));
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...same(before.slice(oldEnd)),
  ];
}

/** The shortest way from one to the other, by Myers' greedy algorithm: the furthest place on each diagonal, step after step. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const steps: ReadonlyMap<number, number>[] = [];
  const most = Math.min(before.length + after.length, maximumSteps);
  for (let step = 0; step <= most; step += 1) {
    steps.push(new Map(furthest));
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const isDown = comesFromAbove(furthest, diagonal, step);
      let x = isDown ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(steps, before, after);
    }
  }
  return [
    ...before.map((text): Line => ({ sign: '-', text })),
    ...after.map((text): Line => ({ sign: '+', text })),
  ];
}

function comesFromAbove(furthest: ReadonlyMap<number, number>, diagonal: number, step: number): boolean {
  const [left, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
  return diagonal === -step || (diagonal !== step && left < above);
}

function walkBack(
  steps: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): readonly Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (const [step, furthest] of [...steps.entries()].reverse()) {
    const diagonal = x - y;
    const isDown = comesFromAbove(furthest, diagonal, step);
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = step === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = step === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ sign: ' ', text: before[x] ?? '' });
    }
    if (step === 0) break;
    if (isDown) lines.push({ sign: '+', text: after[fromY] ?? '' });
    else lines.push({ sign: '-', text: before[fromX] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}
