// A key that gets past the redaction is a key in a log file.
import assert from 'node:assert/strict';
import { maskKey, redact } from '../../src/base/secrets.ts';

const key = 'svc_sk_abcd1234EFGH5678ijkl';

describe('redaction', () => {
  for (const [name, text] of [
    ['a bare key', key],
    ['a header', `Authorization: Bearer ${key}`],
    ['a JSON body', `{"key":"${key}"}`],
    ['a URL', `https://example.com/?key=${key}&x=1`],
    ['a quoted key in a sentence', `The key "${key}", it says, is wrong.`],
    ['two keys', `${key} ${key}`],
  ] as const) {
    it(`takes the secret part out of ${name}`, () => {
      const result = redact(text);
      assert.ok(!result.includes(key));
      assert.ok(!result.includes('1234EFGH'));
    });
  }

  it('takes out bearer tokens of any form and secrets that it is told of', () => {
    assert.equal(redact('Bearer abc.def-ghi'), 'Bearer [redacted]');
    assert.equal(redact('x=hunter2hunter2', ['hunter2hunter2']), 'x=[redacted key]');
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
