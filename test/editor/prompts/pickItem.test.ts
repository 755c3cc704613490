import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { drawn } from '../../../src/editor/prompts/prompts.ts';

const named = '$(trash) Orders $(x)';

describe('rows of a Quick Pick', () => {
  const rows: readonly [vscode.QuickPickItem & { readonly icon?: string }, Record<string, string>][] = [
    [{ label: 'Orders' }, { label: 'Orders' }],
    [{ icon: 'add', label: 'Orders' }, { label: '$(add) Orders' }],
    [{ label: named }, { label: '\\$(trash) Orders \\$(x)' }],
    [{ icon: 'add', label: named }, { label: '$(add) \\$(trash) Orders \\$(x)' }],
    [{ label: 'Run $(date +%F) for $(' }, { label: 'Run $(date +%F) for $(' }],
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
});
