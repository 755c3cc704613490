import assert from 'node:assert/strict';
import { renderDiff } from '../../../src/program/commandLine/lineDiff.ts';
import { createRandom } from '../../support/randomNumbers.ts';

/** What stands on one side of a difference that shows every line. */
function sideOf(diff: string, without: '-' | '+'): readonly string[] {
  const lines = diff.split('\n').filter((line) => !line.startsWith('@@'));
  return lines.filter((line) => !line.startsWith(without)).map((line) => line.slice(1));
}

describe('a difference of two texts', () => {
  it('has three lines around what differs, and where that is', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'].join('\n');
    const after = before.replace('5', 'five\nand more');
    assert.equal(
      renderDiff(before, after),
      ['@@ -2,7 +2,8 @@', ' 2', ' 3', ' 4', '-5', '+five', '+and more', ' 6', ' 7', ' 8'].join('\n'),
    );
    assert.equal(renderDiff(before, before.replaceAll('\n', '\r\n')), '');
  });

  it('leads from one to the other, by no more lines than needed', () => {
    const random = createRandom(11);
    for (let count = 0; count < 300; count += 1) {
      const lines = () => Array.from({ length: Math.floor(random() * 5) }, () => 'abc'.charAt(random() * 3));
      const [before, after] = [lines(), lines()];
      const diff = renderDiff(before.join('\n'), after.join('\n'));
      if (diff === '') continue;
      assert.deepEqual(sideOf(diff, '+').join('\n'), before.join('\n'), diff);
      assert.deepEqual(sideOf(diff, '-').join('\n'), after.join('\n'), diff);
    }
  });

  it('of texts that have nothing in common is all of both', () => {
    const lines = (sign: string) => Array.from({ length: 5000 }, (_, index) => `${sign}${index}`).join('\n');
    const diff = renderDiff(lines('a'), lines('b'));
    assert.equal(diff.split('\n').length, 10_001);
  });
});
