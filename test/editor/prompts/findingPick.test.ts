import assert from 'node:assert/strict';
import { chooseWhileFinding } from '../../../src/editor/prompts/findingPick.ts';
import { settle } from '../../support/memory/ports.ts';
import { quickInputs } from '../../support/vscodeStandIn.ts';

describe('a choice among what is found meanwhile', () => {
  it('keeps the row that the person went to when more is found', async () => {
    const found = (from: number) => [from, from + 1].map((value) => ({ label: `row ${value}`, value }));
    let find: (from: number) => void = () => undefined;
    const chosen = chooseWhileFinding<number>({
      title: '',
      placeholder: '',
      describeEnd: String,
      find: (add) => {
        find = (from) => add(found(from));
        return new Promise<never>(() => undefined);
      },
    });
    await settle();
    find(1);
    const { pick } = quickInputs;
    assert.ok(pick);
    assert.equal(pick.activeItems[0]?.label, 'row 1');
    pick.activeItems = pick.items.slice(1);
    find(3);
    assert.equal(pick.items.length, 4);
    pick.accept();
    assert.equal(await chosen, 2);
  });
});
