import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  equalJson,
  isExactNumber,
  isJsonObject,
  type JsonValue,
  nearestNumber,
  parseJson,
  readJson,
  stringifyJson,
} from '../../src/base/json.ts';
import { equalNumbers, isLossless, mayLoseDigits } from '../../src/base/jsonNumbers.ts';

const kept = [
  '9007199254740993',
  '-12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '-1e400',
  '1e-400',
  '1E+400',
  '5e-324123',
  '100000000000000000000000',
  '123456789012345678901234567890.5e-7',
  '12345678901234567',
  `1${'0'.repeat(400)}`,
];
const exact = [
  '0',
  '-0',
  '1',
  '1.0',
  '1.50',
  '-1e3',
  '0.1',
  '2.7399999999999998',
  '1e+23',
  '9007199254740992',
];

describe('JSON', () => {
  for (const text of kept)
    it(`keeps the digits of ${text.slice(0, 40)}`, () => {
      for (const whole of [text, `[${text}]`, `{"a":{"b":[1,${text}]}}`, ` {"a" : ${text} }`]) {
        const value = parseJson(whole);
        assert(value !== undefined);
        assert.equal(stringifyJson(value), whole.replaceAll(' ', ''));
      }
      assert(isExactNumber(parseJson(text)));
      assert.equal(isJsonObject(parseJson(text)), false);
      assert.equal(nearestNumber(parseJson(text)), Number(text));
    });

  for (const text of exact)
    it(`reads ${text} as a plain number`, () => {
      assert.deepEqual(parseJson(text), Number(text));
      assert.deepEqual(parseJson(`[9007199254740993,${text}]`), [
        parseJson('9007199254740993'),
        Number(text),
      ]);
    });

  it('leaves digits in texts and names alone', () => {
    const text = '{"9007199254740993":"1e400 \\" 9007199254740993, 0.1234567890123456789"}';
    assert.equal(mayLoseDigits(text), true);
    assert.deepEqual(parseJson(text), {
      '9007199254740993': '1e400 " 9007199254740993, 0.1234567890123456789',
    });
  });

  it('leaves an object alone that looks like such a number', () => {
    const value = parseJson('{"rawJSON":"9007199254740993","id":9007199254740993}');
    assert(isJsonObject(value));
    assert.equal(value['rawJSON'], '9007199254740993');
    assert.equal(isExactNumber(value), false);
  });

  it('refuses what is no JSON, also beside such a number', () => {
    for (const text of [
      '[9007199254740993',
      '09007199254740993',
      '{9007199254740993:1}',
      '+9007199254740993',
      '9007199254740993.',
    ])
      assert.equal(readJson(text).kind, 'notJson', text);
  });

  it('refuses what is too deep, also beside such a number', () => {
    for (const inner of ['1', '9007199254740993']) {
      const deep = (levels: number) => '['.repeat(levels) + inner + ']'.repeat(levels);
      assert.equal(readJson(deep(200)).kind, 'value');
      assert.equal(readJson(deep(201)).kind, 'tooDeep');
      assert.equal(readJson(`{"a":${deep(200)}}`).kind, 'tooDeep');
      assert.equal(readJson(deep(200_000)).kind, 'tooDeep');
    }
  });

  it('keeps a member named __proto__ with such a number', () => {
    const text = '{"__proto__":9007199254740993,"a":{"__proto__":{"b":1e400}}}';
    assert.equal(stringifyJson(parseJson(text)), text);
  });

  it('compares numbers by their values', () => {
    const equal = (one: string, other: string) => equalJson(parseJson(one), parseJson(other));
    assert.equal(equal('{"a":9007199254740993}', '{"a":9007199254740992}'), false);
    assert.equal(equal('{"a":9007199254740993}', '{"a":9007199254740993}'), true);
    assert.equal(equal('1e400', '10e399'), true);
    assert.equal(equal('1e400', '-1e400'), false);
    assert.equal(equal('100000000000000000000000', '1e23'), true);
    assert.equal(equal('9007199254740993', '"9007199254740993"'), false);
    assert.equal(equal('9007199254740993', '{"rawJSON":"9007199254740993"}'), false);
    assert.equal(equal('1e400', 'null'), false);
  });

  it('writes whatever number comes in with the same value', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][-+]?\d{1,4})?$/);
    fc.assert(
      fc.property(fc.array(digits, { maxLength: 5 }), fc.string(), (numbers, text) => {
        const members = numbers.map((number, at) => `"${at}":${number}`);
        const whole = `{"text":${JSON.stringify(text)}${members.map((each) => `,${each}`).join('')}}`;
        const value = parseJson(whole);
        assert(isJsonObject(value));
        assert.equal(value['text'], text);
        for (const [at, number] of numbers.entries()) {
          const written = stringifyJson(value[String(at)]);
          assert(equalNumbers(written, number), `${number} became ${written}`);
          assert.equal(isExactNumber(value[String(at)]), !isLossless(number));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never misses a number that loses digits', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][-+]?\d{1,4})?$/);
    fc.assert(
      fc.property(digits, fc.nat(40), (number, before) => {
        if (!isLossless(number)) assert(mayLoseDigits(`${' '.repeat(before)}${number}`), number);
      }),
      { numRuns: 5000 },
    );
  });

  it('takes any JSON that JSON.parse takes, and gives the same but for those numbers', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        assert.deepEqual(parseJson(text), JSON.parse(text) as JsonValue);
      }),
    );
  });
});
