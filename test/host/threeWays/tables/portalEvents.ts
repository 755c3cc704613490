// The command on portal events in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { page } from '../../page.ts';
import { choose } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';

const Listed = v.array(
  v.strictObject({
    id: v.string(),
    type: v.string(),
    timestamp: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  }),
);
const question = 'Select a portal event to open its payload';

async function answer(): Promise<void> {
  await choose(question, 'workflow.created');
  await page.waitFor('.tab.active:has-text("workflow.created")');
}

export const portalEventWays: WaysTable = {
  'portalEvents.list': {
    code: {
      run: async (call) => {
        const events = await call(Listed, {});
        assert.ok(events.some(({ type }) => type === 'workflow.created'));
      },
    },
    palette: { asks: question, run: answer },
  },
};
