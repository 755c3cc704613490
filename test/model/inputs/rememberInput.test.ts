// A state that cannot be written costs the memory of an input, not the run that has begun.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { InputDrafts } from '../../../src/model/inputs/inputDrafts.ts';
import { InputHistory, rememberInput } from '../../../src/model/inputs/inputHistory.ts';
import { HandClock, MemoryState } from '../../support/memory/ports.ts';

const target = { connectionId: 'c1', workflowId: 'w1' };
const keyPrefix = (): string => 'svc_sk_';

class BrokenState extends MemoryState {
  isBroken = true;

  override set(...entry: Parameters<MemoryState['set']>): Promise<void> {
    return this.isBroken ? Promise.reject(new Error('The disk is full.')) : super.set(...entry);
  }
}

describe('remembering an input', () => {
  it('that cannot be stored is logged once, and the next one is remembered', async () => {
    const state = new BrokenState();
    const drafts = new InputDrafts(state, keyPrefix);
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    const logged: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => logged.push(message) };
    await rememberInput({ drafts, history, logger }, target, { name: 'Ada' });
    assert.deepEqual(logged, ["The input of an execution can't be remembered: Error: The disk is full."]);
    state.isBroken = false;
    await rememberInput({ drafts, history, logger }, target, { name: 'Bob' });
    assert.equal(logged.length, 1);
    assert.deepEqual(
      history.read(target).map(({ input }) => input),
      [{ name: 'Bob' }],
    );
    assert.match(drafts.read(target) ?? '', /Bob/);
  });
});
