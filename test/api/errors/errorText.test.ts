// The reason that a person reads must be the service's own, wherever it stands.
import assert from 'node:assert/strict';
import { errorCode, errorDetails, errorMessage } from '../../../src/api/errors/errorText.ts';
import { answerOf } from '../../support/answers.ts';

describe('error text', () => {
  const messages: readonly (readonly [unknown, string])[] = [
    [{ error: { message: 'M', code: 'c' }, message: 'other' }, 'M'],
    [{ error: 'M' }, 'M'],
    [{ errors: [{ message: 'M' }], message: 'other' }, 'M'],
    [{ errors: ['M'] }, 'M'],
    [{ message: 'M', detail: 'other' }, 'M'],
    [{ detail: 'M' }, 'M'],
    [{ detail: [{ loc: ['body', 'a'], msg: 'one' }, { msg: 'two' }] }, 'one; two'],
    [{ title: 'M', type: 'https://x.example/problems/p' }, 'M'],
    [{ error_description: 'M' }, 'M'],
    ['  plain \n text ', 'plain text'],
    ['"M"', 'M'],
    [{ foo: 1 }, 'Phrase'],
    [undefined, 'Phrase'],
    ['<!doctype html><title>No</title>', 'Phrase'],
    [{ message: 'x'.repeat(9000) }, 'x'.repeat(4000)],
  ];
  for (const [body, expected] of messages)
    it(`takes the message of ${JSON.stringify(body ?? null).slice(0, 60)}`, () =>
      assert.equal(errorMessage(answerOf(400, body, {}, 'Phrase')), expected));

  it('names the status when there is no word at all', () =>
    assert.equal(errorMessage(answerOf(418)), 'HTTP 418'));

  const codes: readonly (readonly [unknown, string | null])[] = [
    [{ error: { code: 'c' }, code: 'other' }, 'c'],
    [{ code: 'c' }, 'c'],
    [{ error_code: 'c' }, 'c'],
    [{ errors: [{ code: 'c' }] }, 'c'],
    [{ type: 'https://x.example/problems/c' }, 'c'],
    [{ type: 'c' }, 'c'],
    [{ error: { details: { code: 'c' } } }, 'c'],
    [{ message: 'M' }, null],
    ['text', null],
  ];
  for (const [body, expected] of codes)
    it(`takes the code of ${JSON.stringify(body)}`, () =>
      assert.equal(errorCode(answerOf(400, body)), expected));

  it('lists what was wrong where', () => {
    const contract = {
      error: { code: 'validation_failed', details: [{ path: 'name', message: 'must be text' }] },
    };
    assert.deepEqual(errorDetails(answerOf(422, contract)), [{ path: 'name', message: 'must be text' }]);
    const fastApi = { detail: [{ loc: ['body', 'nodes', 0], msg: 'bad' }] };
    assert.deepEqual(errorDetails(answerOf(422, fastApi)), [{ path: 'body.nodes.0', message: 'bad' }]);
    assert.deepEqual(errorDetails(answerOf(422, { error: { details: { code: 'x' } } })), []);
  });
});
