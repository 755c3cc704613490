// A time in ISO 8601 is one point in time, or none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createForwardTime, parseIsoTime } from '../../src/base/time.ts';
import { tries } from '../support/properties.ts';

describe('An ISO time', () => {
  for (const [text, time] of [
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05T10:20', '2026-01-05T10:20:00.000Z'],
    ['2026-01-05 10:20:30,5', '2026-01-05T10:20:30.500Z'],
    ['2026-01-05T10:20:30.123456789Z', '2026-01-05T10:20:30.123Z'],
    ['2026-01-05T10:20:30+02:00', '2026-01-05T08:20:30.000Z'],
    ['2026-01-05T10:20:30-0330', '2026-01-05T13:50:30.000Z'],
    ['2026-01-05t10:20:30z', '2026-01-05T10:20:30.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z'],
  ] as const)
    it(`is ${time} for ${text}`, () => {
      assert.equal(new Date(parseIsoTime(text) ?? Number.NaN).toISOString(), time);
    });

  it('is none where the day or the time does not exist', () => {
    for (const text of [
      '2026-02-29',
      '0001-02-29',
      '2026-02-30T10:00:00Z',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
    ])
      assert.equal(parseIsoTime(text), Number.NaN, text);
    for (const text of [
      '2026-01-05T24:00',
      '2026-01-05T10:60',
      '2026-01-05T10:00:61',
      '2026-01-05T10:00+24:00',
    ])
      assert.equal(parseIsoTime(text), Number.NaN, text);
  });

  it('is no other text', () => {
    for (const text of ['', 'today', '2026', '2026-1-5', '05.01.2026', 'Wed, 21 Oct 2026 07:28:00 GMT'])
      assert.equal(parseIsoTime(text), undefined, text);
  });

  it('is what was written, for each point in time', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => assert.equal(parseIsoTime(date.toISOString()), date.getTime()),
      ),
      tries(1000),
    );
  });
});

describe('A time that is never set back', () => {
  it('goes on where the clock is set back, and follows it forward', () => {
    let now = 1_000_000;
    const time = createForwardTime(() => now);
    now -= 3600;
    assert.ok(time() >= 1_000_000);
    now += 7200;
    assert.ok(time() >= 1_003_600);
    now -= 3600;
    assert.ok(time() >= 1_003_600);
  });
});
