// Tests each fixed command from code, and from the palette and the tree where it asks or acts in a way of its own. That each is in the palette
// and in a view's menu is held by test/editor/manifest.test.ts.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../../src/base/json.ts';
import { requirePage } from '../page.ts';
import { type FixedCommand, fixedCommands, idOf, titleOf } from './fixedCommands.ts';
import { escape, isAsking, runInOverflow, runInPalette, runInTitle, runOnRow } from '../keyboard.ts';
import type { World } from './world.ts';

/** Calls the command with a plain object and decodes what comes back, which must be plain JSON. */
type Call = <T>(schema: v.GenericSchema<unknown, T>, argument?: object) => Promise<T>;

interface Ways {
  readonly code: {
    /** Calls it and sees that what comes back, and what is there now, is right. */
    readonly run: (call: Call) => Promise<void>;
    /** An id that nothing has, which it must reject. */
    readonly unknown?: object;
  };
  readonly palette?: {
    /** Makes what it is to be chosen from. */
    readonly given?: () => PromiseLike<unknown>;
    /** What its first prompt says; null: it asks nothing, so that there is nothing to press Escape in. */
    readonly asks: string | null;
    /** Answers the prompts and sees the effect. */
    readonly run: () => Promise<void>;
  };
  readonly tree?: {
    readonly given?: () => PromiseLike<unknown>;
    /** A row's context menu, or a button or the overflow menu in the title of a view, whichever row has the cursor. */
    readonly place: { readonly row: string } | 'title' | 'overflow';
    readonly view: string;
    readonly run: () => Promise<void>;
  };
}

export type WaysTable = Partial<Readonly<Record<FixedCommand, Ways>>>;

function callOf(command: FixedCommand): Call {
  return async (schema, argument) => {
    const result = await vscode.commands.executeCommand(idOf(command), argument);
    if (result !== undefined) assert.deepEqual(result, parseJson(JSON.stringify(result)), 'plain JSON');
    return v.parse(schema, result);
  };
}

async function runInTree(command: FixedCommand, { place, view }: NonNullable<Ways['tree']>): Promise<void> {
  const { menu, submenu } = titleOf(command);
  if (place === 'title') await runInTitle(view, menu);
  else if (place === 'overflow') await runInOverflow(view, menu);
  else await runOnRow(view, place.row, menu, submenu);
}

function testWays(command: FixedCommand, ways: Ways, world: World): void {
  const { code, palette, tree } = ways;

  it('from code: JSON in, JSON out, no question', async function () {
    requirePage(this);
    await code.run(callOf(command));
    assert.equal(await isAsking(), false);
  });

  if (code.unknown !== undefined)
    it('from code: rejects what is not there, and asks nothing', async function () {
      requirePage(this);
      const call = async () => vscode.commands.executeCommand(idOf(command), code.unknown);
      await assert.rejects(call());
      assert.equal(await isAsking(), false);
    });

  if (palette !== undefined)
    it('from the palette; Escape stops it', async function () {
      requirePage(this);
      const { palette: name } = titleOf(command);
      await palette.given?.();
      if (palette.asks !== null) {
        const before = await world.readAll();
        await runInPalette(name);
        await escape(palette.asks);
        assert.deepEqual(await world.readAll(), before);
      }
      await runInPalette(name);
      await palette.run();
    });

  if (tree !== undefined)
    it('from the tree', async function () {
      requirePage(this);
      await tree.given?.();
      await runInTree(command, tree);
      await tree.run();
    });
}

/** The commands of the fixed names that no table has. */
export function missingCommands(tables: readonly WaysTable[]): readonly string[] {
  return fixedCommands.filter((command) => !tables.some((table) => command in table));
}

/** Tests each command of a table in its world. */
export function testThreeWays(table: WaysTable, world: World): void {
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
  for (const command of fixedCommands) {
    const ways = table[command];
    if (ways === undefined) continue;
    describe(command, () => testWays(command, ways, world));
  }
}
