import assert from 'node:assert/strict';
import { PresetChoices } from '../../../src/model/inputs/presetChoices.ts';
import { MemoryState } from '../../support/memory/ports.ts';

const target = { connectionId: 'c1', workflowId: 'w1' };

describe('the workflow of a preset file', () => {
  const choice = { ...target, fileUri: 'file:///a.input.json', workflowName: 'Order totals' };

  it('is the one chosen last, also in the next session', async () => {
    const state = new MemoryState();
    const choices = new PresetChoices(state);
    assert.equal(choices.find(choice.fileUri), undefined);
    await choices.remember({ ...choice, workflowId: 'w0' });
    await choices.remember(choice);
    assert.deepEqual(new PresetChoices(state).find(choice.fileUri), choice);
  });

  it('is kept for the 100 files last executed', async () => {
    const state = new MemoryState();
    const choices = new PresetChoices(state);
    for (let at = 0; at < 101; at += 1) await choices.remember({ ...choice, fileUri: `file:///${at}` });
    assert.equal(choices.find('file:///0'), undefined);
    assert.ok(choices.find('file:///1'));
    await state.set('presetChoices', [{ ...choice, workflowId: 7 }, { ...choice }]);
    assert.deepEqual(choices.find(choice.fileUri), choice);
    await state.set('presetChoices', 'odd');
    assert.equal(choices.find('file:///1'), undefined);
  });
});
