// What Enter, Ctrl+Enter, F2 and Delete do to the focused row of each kind.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { combine } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Commands } from '../../src/editor/commands.ts';
import { commandNames } from '../support/commandNames.ts';
import { commandId } from '../../src/editor/commands/names.ts';
import type { RowElement } from '../../src/editor/tree/treeElements.ts';
import { registerRowKeys } from '../../src/ui/rows/rowKeys.ts';

const rows = {
  workflow: { connectionId: 'c1', workflowId: 'w1' },
  execution: { connectionId: 'c1', executionId: 'e1', workflowId: 'w1' },
  nodeRun: { connectionId: 'c1', executionId: 'e1', nodeRunKey: 'n1' },
  connection: { connectionId: 'c1' },
  apiKey: { keyId: 'k1' },
  savedSearch: { connectionId: 'c1', query: 'INV-7' },
  note: { text: 'Not executed yet' },
} as const;
type Kind = keyof typeof rows;

/** Presses the key with this row focused, or with none. Returns the commands that were run, without their prefix, and their row. */
async function press(
  name: 'row.open' | 'row.execute' | 'row.rename' | 'row.delete',
  kind: Kind | null,
  selection: readonly RowElement[] = [],
  view: 'workflows' | 'executions' = 'workflows',
) {
  const row = kind === null ? null : { invokedBy: 'person', kind, key: kind, ...rows[kind] };
  const commands = new Commands({
    logger: silentLogger,
    describe: (error) => assert.fail(String(error)),
    activeConnectionId: () => 'active',
    findSubject: () => ({ kind: 'workflow', ...rows.workflow }),
  });
  const ran: string[] = [];
  const given: unknown[] = [];
  const registrations = ['list.select', ...commandNames.map(commandId)].map((id) =>
    vscode.commands.registerCommand(id, (argument: unknown, selected: unknown) => {
      ran.push(id.replace('workflowAutomation.', ''));
      if (id !== 'list.select') given.push(argument, selected);
    }),
  );
  const empty = { view: { selection: [] } };
  const views = { workflows: empty, executions: empty, [view]: { view: { selection } } };
  const keys = registerRowKeys({ commands, views });
  await commands.handle(name, [row]);
  combine(keys, ...registrations).dispose();
  const isSelected = selection.some(({ key }) => key === kind);
  if (given.length > 0) assert.deepEqual(given, [row, isSelected ? selection : undefined]);
  return ran;
}

describe('the keys of rows', () => {
  const rowOf = (key: string) => ({ invokedBy: 'person', kind: 'workflow', key }) as const;

  it('act on all selected rows where the focused one is among them, as menus do', async () => {
    assert.deepEqual(await press('row.delete', 'workflow', [rowOf('other'), rowOf('workflow')]), [
      'workflow.delete',
    ]);
    assert.deepEqual(await press('row.delete', 'workflow', [rowOf('other'), rowOf('third')]), [
      'workflow.delete',
    ]);
    const searches = ['other', 'savedSearch'].map((key) => ({ ...rowOf(key), kind: 'savedSearch' }));
    assert.deepEqual(await press('row.delete', 'savedSearch', searches, 'executions'), [
      'savedSearch.remove',
    ]);
  });

  for (const [name, kind, wanted] of [
    ['row.open', 'workflow', 'workflow.open'],
    ['row.open', 'execution', 'execution.open'],
    ['row.open', 'nodeRun', 'nodeRun.open'],
    ['row.open', 'note', 'list.select'],
    ['row.execute', 'workflow', 'workflow.execute'],
    ['row.rename', 'workflow', 'workflow.rename'],
    ['row.rename', 'connection', 'connection.rename'],
    ['row.delete', 'workflow', 'workflow.delete'],
    ['row.delete', 'connection', 'connection.remove'],
    ['row.delete', 'apiKey', 'apiKey.revoke'],
    ['row.delete', 'savedSearch', 'savedSearch.remove'],
  ] as const)
    it(`${name} on a row of the kind ${kind} is ${wanted}`, async () =>
      assert.deepEqual(await press(name, kind), [wanted]));

  for (const [name, kind] of [
    ['row.execute', 'execution'],
    ['row.execute', 'note'],
    ['row.rename', 'execution'],
    ['row.rename', 'note'],
    ['row.delete', 'execution'],
    ['row.delete', 'nodeRun'],
    ['row.open', null],
    ['row.delete', null],
  ] as const)
    it(`${name} does nothing on ${kind ?? 'no row'}`, async () =>
      assert.deepEqual(await press(name, kind), []));
});
