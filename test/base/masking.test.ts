// A key that gets past the redaction is a key in a log file.
import assert from 'node:assert/strict';
import {
  findKeys,
  hasMaskedKeys,
  registerSecretForMasking,
  KeyMask,
  maskKey,
  maskKeys,
  redact,
} from '../../src/base/masking.ts';

const key = 'svc_sk_abcd1234EFGH5678ijkl';

describe('redaction', () => {
  for (const [name, text] of [
    ['a bare key', key],
    ['a header', `Authorization: Bearer ${key}`],
    ['a JSON body', `{"key":"${key}"}`],
    ['a URL', `https://example.com/?key=${key}&x=1`],
    ['a quoted key in a sentence', `The key "${key}", it says, is wrong.`],
    ['two keys', `${key} ${key}`],
    ['a word that it ends', `APIKEY${key} x_${key}`],
    ['an escape before it', JSON.stringify(`\u001b[1m${key}\n${key}`)],
    ['its beginning alone, as of a text that was cut', key.slice(0, 16)],
  ] as const) {
    it(`takes the secret part out of ${name}`, () => {
      const result = redact(text);
      assert.ok(!result.includes(key));
      assert.ok(!result.includes('1234EFGH'));
    });
  }

  it('takes out bearer tokens of any form and secrets that it is told of', () => {
    for (const header of [
      'Authorization: Bearer ',
      '{\\"authorization\\":\\"bearer ',
      "-H 'Authorization: Bearer ",
    ])
      assert.equal(redact(`${header}of`), `${header}[redacted]`);
    for (const token of [
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.dGhpcyBpcyBub3QgYSBrZXk',
      '9f86d081884c7d659a2feaa0c55ad015',
      'Zm9vYmFyYmF6cXV4cXV1eA==',
      'abcdefghijklmnopqrstuvwxyzabcdef',
      'mF_9.B5f-4.1JqMabcd',
    ])
      assert.equal(redact(`sent Bearer ${token}, refused`), 'sent Bearer [redacted], refused');
    assert.equal(redact('x=hunter2hunter2', { secrets: ['hunter2hunter2'] }), 'x=[redacted key]');
  });

  it('masks and finds values without a prefix from when it is told of them', () => {
    const value = 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJwdWJsaWMtYXBpIn0.c2ln-_';
    const text = `{"a":"${value}","b":"${key}"}`;
    assert.equal(redact(`is ${value}`), `is ${value}`);
    registerSecretForMasking(value);
    registerSecretForMasking('short');
    assert.equal(redact(`a short ${value}`), 'a short [redacted key]');
    const masked = maskKeys(text, 'svc_sk_');
    assert.equal(masked, '{"a":"[redacted key]","b":"svc_sk_abcd…"}');
    assert.ok(hasMaskedKeys(masked.slice(0, 24), 'svc_sk_'));
    assert.deepEqual(
      findKeys(text, 'svc_sk_').map(({ offset, length }) => text.slice(offset, offset + length)),
      [value, key],
    );
  });

  it('masks what is left of a value where a text was cut inside it, and no other token that begins alike', () => {
    const header = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.';
    const value = `${header}${'cGF5bG9hZA'.repeat(20)}.c2ln`;
    registerSecretForMasking(value);
    for (const length of [57, 58, 100, value.length - 1])
      assert.equal(
        redact(`one ${value.slice(0, length)} other ${value.slice(0, length)}`),
        'one [redacted key] other [redacted key]',
      );
    for (const text of [`a ${value.slice(0, 56)}`, `a ${header}${'another'.repeat(9)}`])
      assert.equal(redact(text), text);
    assert.equal(redact('x=hunter2hun', { secrets: ['hunter2hunter2'] }), 'x=[redacted key]');
    // What may be shown of a key stays.
    for (const prefix of ['svc_sk_', 'own_'])
      assert.equal(
        redact(`${prefix}abcd…`, { secrets: [`${prefix}abcdefghijkl`], prefix }),
        `${prefix}abcd…`,
      );
  });

  it('takes no plain word for a token', () => {
    for (const text of [
      'The bearer of the card pays.',
      'Bearer identification-document/verification',
      'Bearer Nichtverfügbarkeitsprüfung',
      'a bearer AUTHORIZATION_REQUIRED answer',
      'Bearer [redacted]',
    ])
      assert.equal(redact(text), text);
  });

  it('finds what has invisible characters inside, and leaves them in any other text', () => {
    const [zeroWidth, softHyphen, selector] = ['\u200b', '\u00ad', '\ufe0f'];
    for (const each of [zeroWidth, softHyphen, selector, '\u0000', '\u202e']) {
      assert.equal(redact(`is ${key.slice(0, 15)}${each}${key.slice(15)}`), 'is svc_sk_abcd…');
      assert.equal(redact(`is svc_${each}${key.slice(4)}`), 'is svc_sk_abcd…');
    }
    assert.equal(redact(`x=hunter2${zeroWidth}hunter2`, { secrets: ['hunter2hunter2'] }), 'x=[redacted key]');
    const family = `\u{1f468}\u200d\u{1f469} \u2764${selector} ${key}`;
    assert.equal(redact(family), family.replace(key, 'svc_sk_abcd…'));
  });

  it('masks a key with a prefix of its own', () => {
    const own = 'acme-abcd1234EFGH5678ijkl';
    assert.equal(redact(`key=${own} ${key}`, { prefix: 'acme-' }), 'key=acme-abcd… svc_sk_abcd…');
  });

  it('changes nothing the second time', () => {
    const once = redact(`${key} Authorization: Bearer abc, Bearer ${'0f1e'.repeat(8)}`);
    assert.equal(redact(once), once);
  });

  it('says whether there was anything to mask', () => {
    const mask = new KeyMask('svc_sk_');
    assert.equal(mask.hide('no key'), 'no key');
    assert.equal(mask.hasMasked, false);
    assert.equal(mask.hide(key), 'svc_sk_abcd…');
    assert.equal(mask.hide('no key'), 'no key');
    assert.equal(mask.hasMasked, true);
  });

  it('leaves other text alone', () => {
    const text = 'task_skipped: 3 of 5; see workflow wf_01J and svc.example.com';
    assert.equal(redact(text), text);
  });

  it('masks a key to its prefix and four characters', () => {
    assert.equal(maskKey(key, 'svc_sk_'), 'svc_sk_abcd…');
    assert.equal(maskKey('other', 'svc_sk_'), 'othe…');
  });
});

describe('what looks like a key', () => {
  const prefix = 'svc_sk_';
  const someKey = prefix + 'Ab1-'.repeat(5);

  for (const [what, text, count] of [
    ['a bare key', someKey, 1],
    ['a key in quotes', `"${someKey}"`, 1],
    ['a key in a header', `Authorization: Bearer ${someKey}\n`, 1],
    ['two keys', `${someKey},${someKey}`, 2],
    ['too few characters', prefix + 'a'.repeat(15), 0],
    ['just enough characters', prefix + 'a'.repeat(16), 1],
    ['a masked key', `${prefix}Ab1-…`, 0],
    ['the middle of a longer word', `my${someKey}`, 0],
    ['a thousand keys', `${someKey}\n`.repeat(1000), 100],
  ] as const) {
    it(`${what}: ${count}`, () => assert.equal(findKeys(text, prefix).length, count));
  }

  it('goes by the prefix as it is written, whatever it means to an expression', () => {
    const odd = 'k.(e)+[y]|$';
    assert.equal(findKeys(odd + 'x'.repeat(20), odd).length, 1);
    assert.equal(findKeys(`kX(e)+[y]|$${'x'.repeat(20)}`, odd).length, 0);
  });
});
