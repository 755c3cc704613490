// What somebody has written comes back as it was written, within bounds, and nothing of what is gone stays.
import assert from 'node:assert/strict';
import { SavedTexts } from '../../../../src/features/definitions/files/savedTexts.ts';
import { MemoryState } from '../../../support/memory/ports.ts';

const keyPrefix = (): string => 'svc_sk_';
const target = (workflowId: string, connectionId = 'c1') => ({ connectionId, workflowId });

describe('the texts of saved definitions', () => {
  let state: MemoryState;
  const texts = () => new SavedTexts(state, keyPrefix);
  beforeEach(() => (state = new MemoryState()));

  it('are there in the next session, of the workflow that they were saved for', async () => {
    await texts().keep(target('w1'), '{ "a": 1 }\r\n');
    await texts().keep(target('w1', 'c2'), '{"b":1}');
    assert.deepEqual(
      [target('w1'), target('w1', 'c2'), target('w2')].map((of) => texts().read(of)),
      ['{ "a": 1 }\r\n', '{"b":1}', undefined],
    );
    await texts().keep(target('w1'), '{}');
    assert.equal(texts().read(target('w1')), '{}');
  });

  it('are all kept where several are saved at once', async () => {
    const kept = texts();
    await Promise.all(['w1', 'w2', 'w3'].map((id) => kept.keep(target(id), `{"a":"${id}"}`)));
    assert.deepEqual(
      ['w1', 'w2', 'w3'].map((id) => kept.read(target(id))),
      ['{"a":"w1"}', '{"a":"w2"}', '{"a":"w3"}'],
    );
    await Promise.all([kept.keep(target('w4'), '{}'), kept.forget({ connectionId: 'c1' })]);
    assert.equal(state.text, '[]');
  });

  it('are the newest ones, 512 Ki characters in all, and none larger than 128 Ki', async () => {
    const text = 'x'.repeat(100 * 1024);
    for (let index = 0; index < 8; index += 1) await texts().keep(target(`w${index}`), text);
    assert.deepEqual(
      Array.from({ length: 8 }, (_, index) => texts().read(target(`w${index}`)) !== undefined),
      [false, false, false, true, true, true, true, true],
    );
    await texts().keep(target('w7'), 'x'.repeat(200 * 1024));
    assert.equal(texts().read(target('w7')), undefined, 'the earlier one says something else');
  });

  it('have no key in them', async () => {
    await texts().keep(target('w1'), '{"token":"svc_sk_0123456789abcdef0123456789abcdef"}');
    assert.equal(texts().read(target('w1')), undefined);
  });

  it('go with the workflow and with the connection', async () => {
    for (const [workflowId, connectionId] of [
      ['w1', 'c1'],
      ['w2', 'c1'],
      ['w1', 'c2'],
    ] as const)
      await texts().keep(target(workflowId, connectionId), '{}');
    await texts().forget(target('w1'));
    assert.deepEqual([texts().read(target('w1')), texts().read(target('w2'))], [undefined, '{}']);
    await texts().forget({ connectionId: 'c1' });
    assert.deepEqual([texts().read(target('w2')), texts().read(target('w1', 'c2'))], [undefined, '{}']);
  });
});
