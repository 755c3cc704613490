// Which values of secrets also stand in ordinary texts.
import assert from 'node:assert/strict';
import { findValueRisk, type ValueRisk } from '../../src/domain/secret.ts';

const risks: Readonly<Record<ValueRisk, readonly string[]>> = {
  number: ['7000000', '202601', '-12.5e7', '1,000,000.00', '49 30 1234567', '123456789012345678901234567890'],
  date: ['2026-01-31', '31.01.2026', '2026-01-31T10:20:30.000Z', '1/31/2026'],
  word: ['someone', 'Administrator', 'SECRET', 'administration', 'größer'],
  json: ['false,', '":{"id"', 'null}', '"},{"name":"', '["a","b"]', '{"a":1}'],
  short: ['tok_1x', 'a1b2c3d4e5f', 'pa ss 1'],
};

describe('The value of a secret', () => {
  for (const [risk, values] of Object.entries(risks))
    for (const value of values)
      it(`that is ${value} has a risk: ${risk}`, () => {
        assert.equal(findValueRisk(value), risk);
      });

  it('has none where it is long and random', () => {
    for (const value of [
      'tok_3/f+Q"aß\\9',
      'ghp_1A2b3C4d5E6f7G8h9I0j',
      'kJhGfDsAqWeRtYuIoPzX',
      'correct horse battery staple',
      '5f2b-88c1-0e6d-7aa9-x',
      JSON.stringify({ type: 'service_account', private_key_id: 'x'.repeat(40), client: 'y'.repeat(20) }),
    ])
      assert.equal(findValueRisk(value), undefined, value);
  });
});
