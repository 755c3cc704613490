// Draws the duration of a node run as a bar of characters that every monospaced font has.
import type { Span, TimedRun } from '../../../../model/executions/timeline.ts';

/** The width of a bar that covers the whole time span, in characters. */
export const barWidth = 40;

export const barMarks = { work: '█', wait: '░', moment: '│' } as const;

/** Returns exactly `barWidth` characters. A run shorter than half a character is drawn as a single mark. */
export function renderBar({ from, to, waits }: Pick<TimedRun, 'from' | 'to' | 'waits'>, whole: Span): string {
  const cell = Math.max(1, whole.to - whole.from) / barWidth;
  const place = (time: number): number => (time - whole.from) / cell;
  const cells = Array.from({ length: barWidth }, () => ' ');
  if (to - from < cell / 2) {
    cells[Math.min(Math.floor(place(from)), barWidth - 1)] = barMarks.moment;
    return cells.join('');
  }
  const first = Math.min(Math.round(place(from)), barWidth - 1);
  const end = Math.max(Math.round(place(to)), first + 1);
  cells.fill(barMarks.work, first, end);
  for (const wait of waits)
    cells.fill(barMarks.wait, Math.max(first, Math.round(place(wait.from))), Math.round(place(wait.to)));
  return cells.join('');
}

/** The labels at both ends of the scale, as wide as a bar. */
export function renderScale(first: string, last: string): string {
  return `${first} ${last.padStart(barWidth - first.length - 1)}`;
}
