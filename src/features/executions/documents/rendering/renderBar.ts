// The time of a node run as characters that every monospaced font has, so that it can be read in any theme, saved, compared and searched.
import type { Span, TimedRun } from '../../../../model/executions/timeline.ts';

/** How many characters stand for the whole. */
export const barWidth = 40;

export const barMarks = { work: '█', wait: '░', moment: '│' } as const;

/** A bar of exactly that many characters. What is shorter than half a character is a moment, wherever it lies. */
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

/** The ends of the scale, as wide as a bar. */
export function renderScale(first: string, last: string): string {
  return `${first} ${last.padStart(barWidth - first.length - 1)}`;
}
