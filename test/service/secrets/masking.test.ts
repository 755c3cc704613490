// Long texts are masked on a thread of their own, with the same result as short ones.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import { parseJson } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { maskPlan } from '../../../src/service/engine/maskPlan.ts';
import { MaskError, Masking } from '../../../src/service/secrets/masking.ts';
import { MaskThread } from '../../../src/service/secrets/maskThread.ts';
import { SecretMask } from '../../../src/service/secrets/secretMask.ts';

const value = 'a value "of" 1 secret';
const long = 'x'.repeat(100_000);

describe('Masking', () => {
  let masking: Masking;
  beforeEach(() => {
    masking = new Masking(new SecretMask(), silentLogger);
    masking.update([value]);
  });
  afterEach(() => masking.dispose());

  it('masks long texts in the same way as short ones', async () => {
    assert.equal(await masking.text(`${long} ${value} ${long}`), `${long} *** ${long}`);
    const json = JSON.stringify({ long, [value]: [value, 1] });
    assert.deepEqual(parseJson(await masking.json(json)), { long, '***': ['***', 1] });
    assert.deepEqual(await masking.object({ long, value }), { long, value: '***' });
  });

  it('returns a text without secrets unchanged', async () => {
    const object = { long };
    assert.equal(await masking.text(long), long);
    assert.equal(await masking.object(object), object);
  });

  it('settles in order, and uses the values at the time of the call', async () => {
    const first = masking.text(`${long}${value}`);
    masking.update(['another value']);
    const second = masking.text(`${long}${value}another value`);
    assert.deepEqual(await Promise.all([first, second]), [`${long}***`, `${long}${value}***`]);
  });

  it('yields to other work meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await masking.text('%5c%26amp;\\u0025\n'.repeat(100_000));
    clearInterval(timer);
    assert.ok(turns > 2, String(turns));
  });

  it('rejects what it has not masked when the service stops', async () => {
    const masked = masking.text(long);
    masking.dispose();
    await assert.rejects(masked, isAbortError);
  });

  it('hides all of a long text that it cannot mask, or rejects where the value counts', async () => {
    const broken = `["${long}`;
    assert.equal(await masking.json(broken), '"***"');
    await assert.rejects(masking.strict.json(broken), MaskError);
    assert.equal(await masking.strict.json(`["${long}"]`), `["${long}"]`);
  });

  it('rejects a plan whose pins it cannot mask, since the nodes would run without them', async () => {
    const fails = () => Promise.reject(new MaskError('It took too long.'));
    const plan = { again: [], pinned: { a: 1 }, iteration: [] };
    await assert.rejects(maskPlan(plan, { text: fails, json: fails }), MaskError);
  });

  it('gives no text the result of one that was given up', async () => {
    const thread = new MaskThread([value]);
    const given = Array.from({ length: 1000 }, (_, index) => thread.mask('text', `${index} ${value}`));
    const settled = Promise.allSettled(given);
    await given[0];
    // While this thread is busy, other results wait for it.
    new SecretMask([value]).text('%5c%26amp;\\u0025\n'.repeat(10_000));
    thread.end(new Error('It took too long.'));
    assert.equal(await thread.mask('text', `next ${value}`), 'next ***');
    await settled;
    thread.end(undefined);
  });
});
