// The editor draws "$(name)" in a Quick Pick as an icon; names from a service are shown as they are.
import assert from 'node:assert/strict';
import { BadConnection, fromPalette } from './errors/badService.ts';
import { closeQuestion, quickPick } from './errors/meeting.ts';
import { page, requirePage } from './page.ts';

const named = '$(trash) Orders $(x)';

describe('rows of a Quick Pick on the screen', () => {
  it('show names of workflows and connections literally', async function () {
    requirePage(this);
    const connection = await BadConnection.direct(named, named);
    try {
      for (const command of ['workflow.undeploy', 'connection.switch'] as const) {
        void fromPalette(command);
        await page.waitFor(`${quickPick} .monaco-list-row:has-text("${named}")`);
        assert.deepEqual(await page.texts(`${quickPick} .monaco-list-row .codicon-trash`), []);
        await closeQuestion();
      }
    } finally {
      await connection.close();
    }
  });
});
