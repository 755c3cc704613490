import assert from 'node:assert/strict';
import { outputEnding } from '../../../../src/features/executions/documents/outputs.ts';
describe('the ending of an output', () => {
  for (const [mediaType, extension] of [
    ['text/plain', '.txt'],
    ['text/html; charset=utf-8', '.html'],
    ['Text/CSV', '.csv'],
    ['application/xml', '.xml'],
    ['application/atom+xml', '.xml'],
    ['image/svg+xml', '.svg'],
    ['text/markdown', '.md'],
    ['application/x-ndjson', '.jsonl'],
    ['application/octet-stream', '.txt'],
  ] as const) {
    it(`of ${mediaType} is ${extension}`, () =>
      assert.equal(outputEnding({ kind: 'text', text: '', mediaType }), extension));
  }

  it('is json for what is told as JSON', () => {
    assert.equal(outputEnding({ kind: 'ready', output: null, error: null }), '.json');
    assert.equal(outputEnding({ kind: 'notReady', status: null }), '.json');
  });
});
