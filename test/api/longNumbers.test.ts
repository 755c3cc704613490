// Numbers beyond what JavaScript holds in places that a program computes with: rows of a log, times, places of faults, orders of ids.
import assert from 'node:assert/strict';
import { parseJson } from '../../src/base/json.ts';
import { parseTime } from '../../src/api/decode/fields.ts';
import { decodeNodeLog, logRows } from '../../src/api/decode/nodeLog.ts';
import { errorDetails } from '../../src/api/errors/errorText.ts';
import { compareIds } from '../../src/api/n8n/decode.ts';

const read = (text: string) => parseJson(text) ?? assert.fail(text);

describe('A log with long numbers', () => {
  it('has rows that its sequence tells apart', () => {
    const keys = ['9007199254740992', '9007199254740993'].map(
      (sequence) => decodeNodeLog(read(`{"sequence":${sequence},"message":"m"}`), 0)?.key,
    );
    assert.equal(new Set(keys).size, 2, keys.join());
    assert.equal(decodeNodeLog(read('{"sequence":7,"message":"m"}'), 0)?.key, 'sequence:7');
  });

  for (const holder of ['content', 'data', 'nodes'])
    it(`isn't hidden by a number in "${holder}"`, () => {
      const rows = logRows(read(`{"${holder}":9007199254740993,"steps":[{"nodeId":"a","message":"m"}]}`));
      assert.equal(rows?.length, 1);
    });
});

describe('A time that is a long number', () => {
  for (const [text, time] of [
    ['1767607200123456789', '2026-01-05T10:00:00.123Z'],
    ['1767607200123.0000000000001', '2026-01-05T10:00:00.123Z'],
    ['1.7676072001230000000000001e12', '2026-01-05T10:00:00.123Z'],
    ['1.767607200123456789e18', '2026-01-05T10:00:00.123Z'],
    ['1767607200.12300000000000001', '2026-01-05T10:00:00.123Z'],
  ] as const)
    it(`is read: ${text}`, () => assert.equal(parseTime(read(text))?.toISOString(), time));

  it("isn't one where no time is so late", () => assert.equal(parseTime(read('1e400')), null));
});

describe('The place of a fault', () => {
  it('has the digits of its path', () => {
    const body = read('{"detail":[{"loc":["ids",9007199254740993],"msg":"too long"}]}');
    assert.deepEqual(
      errorDetails({ status: 422, statusText: '', headers: new Headers(), text: '', body }).map(
        ({ path }) => path,
      ),
      ['ids.9007199254740993'],
    );
  });
});

describe('The ids of executions of an n8n', () => {
  it('are ordered by all their digits', () => {
    const ids = ['9007199254740993', '10', '9', '9007199254740992', 'a'];
    assert.deepEqual(ids.toSorted(compareIds), ['a', '9', '10', '9007199254740992', '9007199254740993']);
  });
});
