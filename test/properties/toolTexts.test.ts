// Whatever a service says, a language model gets no key, no secret and no host of it, and at most 32,000 bytes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { redact, registerSecretForMasking } from '../../src/base/masking.ts';
import { hideHost, renderToolText } from '../../src/languageTools/toolText.ts';
import { parseValuePath, selectValue } from '../../src/languageTools/valuePath.ts';
import { hostileJson } from '../support/hostileJson.ts';
import { tries } from '../support/properties.ts';

const host = 'automation.internal.example:8443';
const key = ['svc', 'sk', 'Zq81kfhw72ndpQ0x'].join('_');
const secret = 'Tr0ub4dor-and-3-more';
const token = 'kZ2f9QmX7wLb0RtY5uVc';
registerSecretForMasking(secret);
const hide = hideHost((text) => redact(text), `https://${host}/v1`);

/** What must not be shown, whatever is around it. */
const planted = [key, secret, `Bearer ${token}`, host, `https://${host.toUpperCase()}/v1/workflows`];
const leaks = [key.slice(7 + 4), secret, token, 'automation.internal.example'];

const around = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', ' ', '\n', '"', '\\', '</data-', 'é', '日本', '\u0000', '😀', '\ud800'),
);
const plantedText = fc
  .tuple(
    around,
    fc.constantFrom(...planted),
    around,
    fc.integer({ min: 0, max: 40_000 }),
    fc.integer({ min: 0, max: 20 }),
  )
  .map(([before, what, after, length, size]) => {
    // Few are long.
    const filling = size === 20 ? 'pad é '.repeat(length / 6) : '';
    // A key that goes on is another key.
    return `${filling}${before} ${what} ${after}${filling}`;
  });
const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: plantedText },
  { weight: 2, arbitrary: hostileJson },
);
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), plantedText), tie('node'), { maxKeys: 4 }),
    fc
      .tuple(tie('node'), fc.integer({ min: 1, max: 12 }))
      .map(([item, count]) => Array.from({ length: count }, () => item)),
  ),
})).node;

/** The data of a result, which stands between marks of its own. */
function dataOf(text: string): JsonValue | undefined {
  const [, mark = '', data = ''] = /^<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>$/m.exec(text) ?? [];
  assert.ok(mark !== '' && !data.includes(mark), text.slice(0, 300));
  return parseJson(data);
}

describe('the text that a language model gets', () => {
  it('has no key, no secret and no host, and at most 32,000 bytes', () =>
    fc.assert(
      fc.property(value, (whole) => {
        const text = renderToolText(
          { selected: { value: whole, path: [], from: 0 }, howToRead: 'Call again.' },
          hide,
        );
        assert.ok(Buffer.byteLength(text) <= 32_000, `${Buffer.byteLength(text)} bytes`);
        for (const leak of leaks) assert.ok(!text.toLowerCase().includes(leak.toLowerCase()), leak);
        assert.notEqual(dataOf(text), undefined);
      }),
      tries(3_334),
    )).timeout(300_000);

  it('leads to everything that it leaves out', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5000 }), { minLength: 1, maxLength: 40 }), (texts) => {
        const whole: JsonValue = { output: { texts: texts.map((each) => ({ each })) } };
        const seen = new Set<string>();
        const read = (path: string, depth: number): JsonValue | undefined => {
          assert.ok(depth < 200 && !seen.has(path), path);
          seen.add(path);
          const parsed = parseValuePath(path);
          const selected = parsed && selectValue(whole, parsed, (each) => each);
          assert.ok(selected, path);
          return dataOf(renderToolText({ selected, howToRead: '' }, (each) => each));
        };
        const collected: string[] = [];
        const collect = (shown: JsonValue | undefined, depth: number): void => {
          if (typeof shown === 'string') collected.push(shown);
          else if (Array.isArray(shown)) for (const item of shown as JsonValue[]) collect(item, depth);
          else if (isJsonObject(shown)) {
            const { $leftOut: left } = shown;
            for (const [name, member] of Object.entries(shown))
              if (name !== '$leftOut') collect(member, depth);
            if (!isJsonObject(left)) return;
            if (typeof left['begins'] === 'string') collected.push(left['begins']);
            assert.ok(typeof left['path'] === 'string');
            collect(read(left['path'], depth), depth + 1);
          }
        };
        collect(read('', 0), 0);
        assert.equal(collected.join(''), texts.join(''));
      }),
      tries(300),
    ));
});
