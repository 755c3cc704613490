// A bar is the only picture of a time there is; each must be as wide as all others and say what was measured.
import assert from 'node:assert/strict';
import {
  barMarks,
  barWidth,
  renderBar,
  renderScale,
} from '../../../../../src/features/executions/documents/rendering/renderBar.ts';
import type { Span } from '../../../../../src/model/executions/timeline.ts';

const whole: Span = { from: 1000, to: 5000 };
const span = (from: number, to: number): Span => ({ from: whole.from + from, to: whole.from + to });
/** What a bar shows, each run of equal characters as how many there are. */
const shape = (bar: string): string =>
  bar.replace(/(.)\1*/gu, (run, mark: string) => `${mark}${run.length} `);
const { work, wait, moment } = barMarks;

describe('the bar of a node run', () => {
  for (const [what, time, waits, expected] of [
    ['all of it', span(0, 4000), [], `${work}40 `],
    ['the first half', span(0, 2000), [], `${work}20  20 `],
    ['the last quarter', span(3000, 4000), [], ` 30 ${work}10 `],
    ['a moment at the start', span(0, 0), [], `${moment}1  39 `],
    ['a moment at the end', span(4000, 4000), [], ` 39 ${moment}1 `],
    ['less than half a character', span(1000, 1040), [], ` 10 ${moment}1  29 `],
    ['as little between two characters', span(1099, 1140), [], ` 10 ${moment}1  29 `],
    ['half a character', span(1020, 1070), [], ` 10 ${work}1  29 `],
    ['half a character at the end', span(3950, 4000), [], ` 39 ${work}1 `],
    ['half a character that waited', span(1020, 1070), [span(1020, 1070)], ` 10 ${wait}1  29 `],
    ['a wait in the middle', span(0, 4000), [span(1000, 2000)], `${work}10 ${wait}10 ${work}20 `],
    ['nothing but a wait', span(0, 2000), [span(0, 2000)], `${wait}20  20 `],
    ['a moment that waited', span(1000, 1010), [span(1000, 1010)], ` 10 ${moment}1  29 `],
  ] as const)
    it(`of ${what}`, () => assert.equal(shape(renderBar({ ...time, waits }, whole)), expected));

  it('has one width on any scale', () => {
    for (const length of [0, 1, 7, 1e12])
      for (const part of [0, 0.3, 0.999, 1]) {
        const time = { from: 0, to: length * part };
        assert.equal(renderBar({ ...time, waits: [time] }, { from: 0, to: length }).length, barWidth);
      }
  });

  it('stands below a scale of the same width', () => {
    assert.equal(renderScale('0', '123 h 59 min').length, barWidth);
    assert.match(renderScale('0', '1.2 s'), /^0 +1\.2 s$/);
  });
});
