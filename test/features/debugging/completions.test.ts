// What the Debug Console offers while an expression is typed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { statusOf, makeNodeLog } from '../../support/memory/records.ts';
import { cursorIn } from '../../../src/features/debugging/inspection.ts';
import { TestRecording } from './client.ts';
import { HeldClient } from './heldClient.ts';

const Targets = v.object({ targets: v.array(v.looseObject({ label: v.string() })) });

describe('completion in the Debug Console', () => {
  it('replaces what is typed of a name', async () => {
    const rows = [makeNodeLog(1, { nodeId: 'start', status: statusOf('completed') })];
    const client = new HeldClient(new TestRecording(['start'], rows));
    await client.launch();
    const given = { text: 'input.to', line: 1, column: 9, frameId: 1 };
    const { targets } = v.parse(Targets, await client.ask('completions', given));
    assert.deepEqual(targets, [
      { label: 'total', text: 'total', type: 'field', detail: '2', sortText: '000000', start: 6, length: 2 },
    ]);
    client.session.dispose();
  });

  it('knows the cursor in a text of several lines', () => {
    const text = 'input\n  .total';
    assert.equal(cursorIn({ text, line: 1, column: 3 }), 2);
    assert.equal(cursorIn({ text, line: 2, column: 4 }), 9);
  });
});
