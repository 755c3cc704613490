// An output of many megabytes must not hold up the host, and must still be the same value, in lines that can be read.
import assert from 'node:assert/strict';
import { type JsonValue, parseJson } from '../../../../src/base/json.ts';
import { renderJson } from '../../../../src/features/executions/documents/renderJson.ts';

const { signal } = new AbortController();

const record = (id: number): JsonValue => ({
  id,
  name: `näme "${id}"`,
  tags: ['a', null, true],
  deep: { x: [] },
});
const records = (count: number): JsonValue => Array.from({ length: count }, (_, id) => record(id));

describe('JSON as text', () => {
  for (const value of [null, 'text', [], {}, records(3)]) {
    it(`of ${JSON.stringify(value).slice(0, 20)} is indented as usual`, async () => {
      assert.equal(await renderJson(value, signal), `${JSON.stringify(value, null, 2)}\n`);
    });
  }

  const large: readonly (readonly [string, JsonValue])[] = [
    ['many records', records(20_000)],
    ['records far down', { a: { b: [{ 'c "d"': records(20_000), e: null }], f: [[], {}] } }],
    ['one long text', { text: 'x\n'.repeat(600_000), after: 1 }],
    ['many numbers', Array.from({ length: 300_000 }, (_, at) => at)],
    [
      'wide records',
      Array.from({ length: 300 }, () => ({ text: 'y'.repeat(4000), more: [record(1), record(2)] })),
    ],
  ];
  for (const [what, value] of large) {
    it(`of ${what} is the same value`, async () => {
      assert.deepEqual(parseJson(await renderJson(value, signal)), value);
    });
  }

  it('has the small parts of a large value on a line each', async () => {
    const lines = (await renderJson({ items: records(20_000) }, signal)).split('\n');
    assert.equal(lines.length, 20_005);
    assert.equal(lines[2], `    ${JSON.stringify(record(0))},`);
    assert.equal(lines.at(-4), `    ${JSON.stringify(record(19_999))}`);
  });

  it('of a small value is in the layout of a large one where it stands beside one', async () => {
    const lines = (await renderJson(records(4), signal, true)).split('\n');
    assert.deepEqual(lines.slice(0, 2), ['[', `  ${JSON.stringify(record(0))},`]);
    assert.equal(lines.length, 4 + 3);
    assert.equal(await renderJson('text', signal, true), '"text"\n');
  });

  it('lets others go on while it is made, and ends when it is no longer wanted', async () => {
    const controller = new AbortController();
    const rendering = renderJson(records(200_000), controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(rendering, { name: 'AbortError' });
  });
});
