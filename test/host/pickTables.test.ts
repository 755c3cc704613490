// Names from outside stand in a Quick Pick as they are; only our own icons are drawn.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { drawn } from '../../src/editor/prompts.ts';
import { BadConnection, fromPalette } from './errors/badService.ts';
import { closeQuestion, quickPick } from './errors/meeting.ts';
import { page, requirePage } from './page.ts';

const named = '$(trash) Orders $(x)';

describe('rows of a Quick Pick', () => {
  const rows: readonly [vscode.QuickPickItem & { readonly icon?: string }, Record<string, string>][] = [
    [{ label: 'Orders' }, { label: 'Orders' }],
    [{ icon: 'add', label: 'Orders' }, { label: '$(add) Orders' }],
    [{ label: named }, { label: '\\$(trash) Orders \\$(x)' }],
    [{ icon: 'add', label: named }, { label: '$(add) \\$(trash) Orders \\$(x)' }],
    [
      { label: '', description: named, detail: '$(sync~spin)' },
      { label: '', description: '\\$(trash) Orders \\$(x)', detail: '\\$(sync~spin)' },
    ],
  ];
  for (const [item, expected] of rows)
    it(`draws ${JSON.stringify(item)}`, () => {
      const { label, description, detail } = drawn(item);
      assert.deepEqual(JSON.parse(JSON.stringify({ label, description, detail })), expected);
    });

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
