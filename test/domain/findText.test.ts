import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatField } from '../../src/base/fieldPath.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../src/base/json.ts';
import { findInJson, findInText, foldText } from '../../src/domain/findText.ts';

const find = (json: string, text: string, limit = 10) => findInJson(json, foldText(text), limit);
const paths = (json: string, text: string) => find(json, text).map(({ path }) => path);

describe('a text in values', () => {
  const cases: readonly (readonly [json: string, text: string, paths: readonly string[]])[] = [
    ['"Invoice INV-7"', 'inv-7', ['']],
    ['{"a":{"b":[1,{"c":"x INV-7"}]},"d":"inv-7"}', 'INV-7', ['a.b[1].c', 'd']],
    ['{"inv-7":"other","more":{"inv-7":[]}}', 'inv-7', []],
    ['{"an odd name":{"quote\\"d":["found"]}}', 'found', ['["an odd name"]["quote\\"d"][0]']],
    ['[[],{},[[],"found"],"found"]', 'found', ['[2][1]', '[3]']],
    ['{"id":12345678901234567890.50,"e":1E+400}', '34567890.50', ['id']],
    ['{"id":12345678901234567890.50,"e":1E+400}', '1e+4', ['e']],
    ['[true,false,null]', 'true', []],
    ['["a\\nb","\\u00c4rger","\\ud83d\\ude00!"]', 'a\nb', ['[0]']],
    ['["a\\nb","\\u00c4rger","\\ud83d\\ude00!"]', 'ärg', ['[1]']],
    ['["a\\nb","\\u00c4rger","\\ud83d\\ude00!"]', '😀!', ['[2]']],
    ['["100 % of a_b and \\\\ and \\"q\\""]', '% OF', ['[0]']],
    ['["100 % of a_b and \\\\ and \\"q\\""]', 'a%b', []],
    ['["100 % of a_b and \\\\ and \\"q\\""]', '\\ and "Q"', ['[0]']],
    ['["İSTANBUL","ΟΔΟΣ","Straße"]', 'istanbul', ['[0]']],
    ['["İSTANBUL","ΟΔΟΣ","Straße"]', 'οδος', ['[1]']],
    ['["İSTANBUL","ΟΔΟΣ","Straße"]', 'οδοσ', ['[1]']],
    ['["ab","cd"]', 'bc', []],
    ['["ab","cd"]', '","', []],
    [' { "a" : [ 1 , 23 ] , "b" : "23" } ', '23', ['a[1]', 'b']],
    ['', 'ab', []],
    ['{"cut":"abc', 'abc', ['cut']],
    ['"\\', 'ab', []],
    [']}],"ab"', 'ab', ['']],
  ];
  for (const [json, text, wanted] of cases)
    it(`${text} in ${json} is at ${wanted.join(' and ') || 'no place'}`, () =>
      assert.deepEqual(paths(json, text), wanted));

  it('is looked for up to the limit', () => assert.equal(find('["ab","ab","ab"]', 'ab', 2).length, 2));

  it('is shown with what stands around it', () => {
    const around = `${'x'.repeat(100)}INV-7${'y'.repeat(100)}`;
    assert.equal(findInText(around, 'inv-7'), `…${'x'.repeat(24)}INV-7${'y'.repeat(51)}…`);
    assert.equal(findInText('an INV-7', 'inv-7'), 'an INV-7');
    const long = 'z'.repeat(200);
    assert.equal(findInText(`a${long}b`, long), `a${long}…`);
  });

  it('is shown without halves of characters', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const excerpt = findInText(`${before}found${after}`, 'found') ?? '\ud800';
        assert.doesNotThrow(() => encodeURIComponent(excerpt));
      }),
    );
  });

  it('keeps its places whatever the letters are', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const letter = String.fromCodePoint(code);
      assert.equal(foldText(letter).length, 1, code.toString(16));
      assert.equal(foldText(`a${letter}`), `a${foldText(letter)}`);
    }
    assert.equal(foldText('𐐀'), '𐐨');
  });

  it('is found exactly where it stands in the parsed value', () => {
    const short = fc.string({
      unit: fc.constantFrom('a', 'B', '"', '\\', '\n', 'ä', '😀', '7'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), short, fc.constantFrom(0, 2), (value, text, indent) => {
        const wanted: string[] = [];
        collect(value as JsonValue, [], (item, path) => {
          if (foldText(item).includes(foldText(text))) wanted.push(formatField(path));
        });
        assert.deepEqual(
          findInJson(stringifyJson(value, indent), foldText(text), Infinity).map(({ path }) => path),
          wanted,
        );
      }),
    );
  });

  it('is found in JSON of any depth', () => {
    const depth = 100_000;
    const [found] = find(`${'['.repeat(depth)}"ab"${']'.repeat(depth)}`, 'ab');
    assert.equal(found?.path, '[0]'.repeat(depth));
  });
});

type Path = readonly (string | number)[];

function collect(value: JsonValue, path: Path, add: (item: string, path: Path) => void): void {
  if (typeof value === 'string') add(value, path);
  else if (typeof value === 'number') add(stringifyJson(value), path);
  else if (isJsonArray(value)) for (const [at, item] of value.entries()) collect(item, [...path, at], add);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) collect(member, [...path, name], add);
}
