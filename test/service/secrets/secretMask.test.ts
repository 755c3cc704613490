// Values of secrets are hidden in every form in which they can come back.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';
import { SecretMask } from '../../../src/service/secrets/secretMask.ts';
import { tries } from '../../support/properties.ts';

const value = 'p/a+ß "w\\ö&=rd';
const mask = new SecretMask([value, 'token-1', '987654321']);

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

  it('keeps JSON what it is: texts, names and numbers are masked', () => {
    const text = JSON.stringify({ 'token-1': [value, 987_654_321, 1.5, true, null], b: 'token-10' });
    assert.equal(mask.json(text), '{"***":["***","***",1.5,true,null],"b":"***0"}');
    assert.equal(mask.json('[1,"a"]'), '[1,"a"]');
    assert.deepEqual(mask.object({ a: 'token-1' }), { a: '***' });
  });

  it('hides all of a JSON text that has a value across its parts', () => {
    assert.equal(new SecretMask(['{"id":7}']).json('{"a":{"id":7}}'), '"***"');
    assert.equal(new SecretMask(['"a":1,']).object({ a: 1, b: 2 })['a'], undefined);
  });

  it('forgets values that are not among the new ones', () => {
    const own = new SecretMask(['token-1']);
    own.update(['token-2']);
    assert.equal(own.text('token-1 token-2'), 'token-1 ***');
  });

  it('never leaves a value, wherever it stands and whatever it is', () => {
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
        assert.ok(isJsonObject(own.object({})));
      }),
      tries(300),
    );
  });

  it('looks through much text for many values in about the time for one', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `item ${index} with a text`));
    const many = new SecretMask(Array.from({ length: 1000 }, (_, index) => `secret-number-${index}-of-many`));
    const began = performance.now();
    assert.equal(many.json(text), text);
    assert.ok(performance.now() - began < 2000);
  });
});
