// A found place leads to the value in its document, also where the text stands elsewhere too.
import assert from 'node:assert/strict';
import { foldText } from '../../../../src/domain/findText.ts';
import { findFoundRun, findInDocument } from '../../../../src/features/executions/search/openFound.ts';
import { foldNodeRuns, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const selected = (text: string, wanted: string, path?: string): string | undefined => {
  const range = findInDocument(text, foldText(wanted), path);
  return range && `${text.slice(0, range.start)}[${text.slice(range.start, range.end)}]`.slice(-12);
};

describe('a found text in a document', () => {
  const json = JSON.stringify({ a: 'x-1', input: { a: 'X-1', list: [{ b: 'ax-1' }] }, n: 17 });

  it('is selected in the value with its path, below a name that the document adds', () => {
    assert.equal(selected(json, 'x-1', 'input.a'), ':{"a":"[X-1]');
    assert.equal(selected(json, 'x-1', 'list[0].b'), '{"b":"a[x-1]'.slice(-12));
    assert.equal(selected(json, '7', 'n'), '}]},"n":1[7]');
  });

  it('is the first value where none has the path, and any place where no value has it', () => {
    assert.equal(selected(json, 'x-1', 'gone'), '{"a":"[x-1]');
    assert.equal(selected('Plain text with X-1 in it', 'x-1', undefined), 't with [X-1]');
    assert.equal(selected(json, 'nowhere', 'a'), undefined);
  });

  it('is the whole value where it is written with escapes, and no name of a member', () => {
    assert.equal(selected(String.raw`{"q":"a\"b"}`, 'a"b', 'q'), String.raw`{"q":["a\"b"]`.slice(-12));
    assert.equal(selected('{"x-1":"y","z":"x-1"}', 'x-1', undefined), '1":"y","z":"[x-1]'.slice(-12));
  });
});

describe('a found node run', () => {
  const runs = foldNodeRuns(
    [
      makeNodeLog(1, { iteration: [0], output: 'INV-7' }),
      makeNodeLog(2, {
        iteration: [1],
        attempt: 1,
        error: { code: null, message: 'inv-7, "A"', nodeId: null },
      }),
      makeNodeLog(3, { iteration: [1], attempt: 2, output: 'other' }),
    ].map((row) => ({ ...row, status: statusOf('completed') })),
  );
  const find = (iteration: readonly number[], folded: string) =>
    findFoundRun(runs, { place: 'nodeRun', nodeId: 'n1', iteration, excerpt: '' }, folded);

  it('is the attempt that has the text, in its iteration', () => {
    assert.deepEqual([find([0], 'inv-7')?.iteration, find([1], 'inv-7')?.attempt], [[0], 1]);
    assert.equal(find([1], '"a"')?.attempt, 1, 'JSON writes quotation marks otherwise');
  });

  it('is the last attempt where the text was in what is no longer kept, and none of another node', () => {
    assert.equal(find([1], 'gone')?.attempt, 2);
    assert.equal(find([2], 'inv-7'), undefined);
  });
});
