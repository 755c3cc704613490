// Values of secrets are hidden in every form in which they can come back.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../src/base/json.ts';
import { SecretMask } from '../../../src/service/secrets/secretMask.ts';
import { tries } from '../../support/properties.ts';

const value = 'p/a+ß "w\\ö&=rd';
const mask = new SecretMask([value, 'token-1', '987654321']);

const certificate = `-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\nq==\n-----END KEY-----\n`;

function wrap(text: string, lineEnd: string): string {
  return (text.match(/.{1,6}/g) ?? []).join(lineEnd);
}

function escapeHtml(text: string): string {
  const written: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<"']/g, (each) => written[each] ?? each);
}

describe('The mask of secrets', () => {
  const forms: readonly (readonly [string, string, string])[] = [
    ['as it is', `a ${value} b`, 'a *** b'],
    ['twice', `${value}${value}`, '***'],
    ['in a URL', `?k=${encodeURIComponent(value)}&x=1`, '?k=***&x=1'],
    ['in a URL, in lower case', `?k=${encodeURIComponent(value).toLowerCase()}&x=1`, '?k=***&x=1'],
    ['in a form', `k=${new URLSearchParams({ k: value }).toString().slice(2)}&x=1`, 'k=***&x=1'],
    ['as a URL writes what it must', new URL(`http://a.b/?k=${value}`).href, 'http://a.b/?k=***'],
    ['as the host of a URL', new URL(`http://Token-1.b/`).href, 'http://***.b/'],
    ['in JSON', JSON.stringify({ a: `x${value}y` }), '{"a":"x***y"}'],
    ['in JSON that a text contains', JSON.stringify(JSON.stringify([value])), String.raw`"[\"***\"]"`],
    ['in base64', Buffer.from(value).toString('base64'), '***'],
    ['in base64url', `${Buffer.from(value).toString('base64url')}.x`, '***.x'],
    ['in the base64 that JSONata writes', Buffer.from(value, 'latin1').toString('base64'), '***'],
    ['percent-encoded in base64', encodeURIComponent(Buffer.from(value).toString('base64')), '***'],
    ['in the lines of long base64', wrap(Buffer.from(value).toString('base64'), '\r\n  '), '***'],
    ['in hex', `0x${Buffer.from(value).toString('hex')}.`, '0x***.'],
    ['in hex, in upper case', Buffer.from(value).toString('hex').toUpperCase(), '***'],
    ['in HTML', `<b>${escapeHtml(value)}</b>`, '<b>***</b>'],
    ['in HTML, by numbers', value.replace(/\W/gu, (each) => `&#x${each.charCodeAt(0).toString(16)};`), '***'],
    [
      'in HTML that JSON contains',
      JSON.stringify({ a: `<b>${escapeHtml(value)}</b>` }),
      '{"a":"<b>***</b>"}',
    ],
    ['in upper case', value.toUpperCase(), '***'],
    ['with its accents apart', value.normalize('NFD'), '***'],
    ['after a name in base64', Buffer.from(`me:${value}`).toString('base64'), 'bWU6***'],
  ];
  for (const [what, text, masked] of forms)
    it(`hides a value ${what}`, () => {
      const hidden = mask.text(text);
      // The end of base64 may keep its sign.
      assert.equal(hidden.replace(/(?:=|%3D)+$/, ''), masked);
      assert.equal(mask.text(hidden), hidden);
    });

  it('hides nothing else, and no value of less than 6 characters', () => {
    for (const text of ['', 'token-2', '%', '%zz', '\\', '\\u00', 'a%20b', '{"a":1}'])
      assert.equal(mask.text(text), text);
    assert.equal(new SecretMask(['12345']).text('12345'), '12345');
    assert.equal(new SecretMask([]).json('{"a":1}'), '{"a":1}');
  });

  it('keeps JSON valid: texts, names and numbers are masked', () => {
    const text = JSON.stringify({ 'token-1': [value, 987_654_321, 1.5, true, null], b: 'token-10' });
    assert.equal(mask.json(text), '{"***":["***","***",1.5,true,null],"b":"***0"}');
    assert.equal(mask.json('[1,"a"]'), '[1,"a"]');
  });

  it('keeps the structure, the names and the numbers of JSON that contains values', () => {
    const values = ['000000', 'false,', '":{"id"', '202601', '123456', 'amount', '1.5e10'];
    const kept = '{ "amounts": 1000000, "a202601": [false,123456.5], "x":{"id": 2},\r\n "total" : 15e9 }';
    assert.equal(new SecretMask(values).json(kept), kept);
    const text = '{"amount":"1000000","b":123456,"c":-123456,"d":1.5e10}';
    const masked = '{"***":"1***","b":"***","c":-123456,"d":"***"}';
    assert.equal(new SecretMask(values).json(text), masked);
  });

  const wholes: readonly (readonly [string, string, string])[] = [
    ['with other line ends', certificate.replaceAll('\n', '\r\n'), '***'],
    ['with spaces for line ends', certificate.replaceAll('\n', ' '), '***'],
    ['in one line', certificate.replaceAll('\n', ''), '***'],
    ['in JSON', JSON.stringify({ key: certificate }), '{"key":"***"}'],
    ['line by line', certificate.replaceAll('\n', ' | '), '*** | *** | *** | q== | *** | '],
    ['indented', certificate.replaceAll('\n', '\n    '), '***\n    ***\n    ***\n    q==\n    ***\n    '],
    ['but one line of it', 'Bad line: MIIEvQIBADANBgkqhkiG9w0B.', 'Bad line: ***.'],
  ];
  for (const [what, text, masked] of wholes)
    it(`hides a value of several lines ${what}`, () => {
      const own = new SecretMask([certificate]);
      const hidden = text.startsWith('{') ? own.json(text) : own.text(text);
      assert.equal(hidden.trim(), masked.trim());
    });

  const mebibyte = 1024 * 1024;
  const alphabets: readonly (readonly [string, string])[] = [
    ['words', 'The quick brown fox jumps over 13 lazy dogs. '],
    ['JSON', '{"a":"x \\"quoted\\" y","b":"https://a.b/c%20d"},'],
    ['percent signs', '%25'],
    ['percent signs of percent signs', '%2525'],
    ['backslashes of percent signs', '\\%5c'],
    ['references of references', '&amp;amp;'],
    ['all of it', '%5c%26amp;\\u0025\n'],
    ['one character', 'a'],
  ];
  for (const [what, part] of alphabets)
    it(`looks through 1 MiB of ${what} in a time that doesn't depend on it`, () => {
      const text = part.repeat(mebibyte / part.length);
      const values = Array.from({ length: 100 }, (_, index) => `ghp_${'a'.repeat(100 * index)}b${index}`);
      for (const own of [new SecretMask([`${'a'.repeat(12_000)}b`]), new SecretMask(values)]) {
        const began = performance.now();
        assert.equal(own.text(text), text);
        assert.equal(own.json(JSON.stringify([text])), JSON.stringify([text]));
        assert.ok(performance.now() - began < 5000);
      }
    });

  it('hides a value beside repeated characters of its own', () => {
    assert.equal(new SecretMask(['a'.repeat(1000)]).text(`b${'a'.repeat(mebibyte)}b`), 'b***b');
  });

  it('forgets values that were replaced', () => {
    const own = new SecretMask(['token-1']);
    own.update(['token-2']);
    assert.equal(own.text('token-1 token-2'), 'token-1 ***');
  });

  it('never leaves a value, wherever and whatever it is', () => {
    const secret = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' });
    const around = fc.string({ maxLength: 20, unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), around, around, (values, left, right) => {
        const own = new SecretMask(values);
        for (const each of values) {
          if (Array.from(each).length < 6) continue;
          const written = [
            each,
            encodeURIComponent(each),
            Buffer.from(left + each + right).toString('base64'),
            JSON.stringify(each),
          ];
          for (const form of written) {
            const hidden = own.text(`${left}${form}${right}`);
            assert.ok(!hidden.includes(each), hidden);
            const json = own.json(JSON.stringify({ [form]: [form] }));
            assert.ok(parseJson(json) !== undefined && !json.includes(each), json);
            assert.equal(own.json(json), json);
          }
          const bytes = Buffer.from(each).toString('base64');
          assert.ok(!own.text(`${left}${bytes}`).includes(bytes.slice(0, 8)));
        }
      }),
      tries(100),
    );
  });

  it('searches much text for many values in about the time for one', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `item ${index} with a text`));
    const many = new SecretMask(Array.from({ length: 1000 }, (_, index) => `secret-number-${index}-of-many`));
    const began = performance.now();
    assert.equal(many.json(text), text);
    assert.ok(performance.now() - began < 2000);
  });
});
