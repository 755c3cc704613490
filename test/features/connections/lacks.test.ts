import assert from 'node:assert/strict';
import { describeLacks } from '../../../src/features/connections/connectionCommands.ts';

describe('what an older n8n lacks', () => {
  for (const [offered, words] of [
    [['cancel', 'saveAlone', 'mcp'], undefined],
    [['cancel', 'saveAlone'], 'only webhooks start executions, and there are no drafts'],
    [
      ['retry'],
      "executions can't be cancelled; what you save of a deployed workflow is deployed at once; only webhooks start executions, and there are no drafts",
    ],
  ] as const)
    it(`is said in one sentence where it has ${offered.join(', ')}`, () =>
      assert.equal(describeLacks(new Set(offered)), words && `This service is an older version: ${words}.`));
});
