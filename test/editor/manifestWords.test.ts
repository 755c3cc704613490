// How commands read in the palette, in menus and beside documents, where they are offered, and which keys run them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { commandId, type CommandName } from '../../src/editor/commands/names.ts';
import { commandNames } from '../support/commandNames.ts';
import { contextKeys, viewIds } from '../../src/editor/ids.ts';
import { readTexts } from '../l10n/texts.ts';
import { root } from '../rig/paths.ts';
import { manifest, textOf } from '../support/manifest.ts';

describe('the words of commands', () => {
  const contributed = new Map(manifest.contributes.commands.map((each) => [each.command, each]));

  it('end in "…" beside a document, and in another language, where they do in the palette', () => {
    const german = readTexts(join(root, 'package.nls.de.json'));
    for (const { title, shortTitle = title } of contributed.values()) {
      const asks = textOf(title).endsWith('…');
      for (const placeholder of [title, shortTitle])
        for (const text of [textOf(placeholder), german[placeholder.slice(1, -1)] ?? ''])
          assert.equal(text.endsWith('…'), asks, text);
    }
  });

  it('are unlike each other in the palette', () => {
    const titles = manifest.contributes.commands.map(({ title }) => textOf(title));
    assert.deepEqual(
      titles.filter((title, at) => titles.indexOf(title) !== at),
      [],
    );
  });

  it('are short beside the document that they are about', () => {
    const inTitles = ['editor/title', 'editor/title/run'].flatMap(
      (menu) => manifest.contributes.menus[menu] ?? [],
    );
    const navigation = inTitles.filter(({ group = '' }) => group.startsWith('navigation'));
    assert.ok(navigation.length > 0);
    for (const { command = '' } of navigation) {
      const { shortTitle, icon } = contributed.get(command) ?? {};
      assert.ok(icon !== undefined && shortTitle !== undefined, command);
      assert.match(textOf(shortTitle), /^\w+$/);
    }
  });
});

describe('the palette', () => {
  const conditions = new Map(
    (manifest.contributes.menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]),
  );
  const enabled = new Map(
    manifest.contributes.commands.map(({ command, enablement }) => [command, enablement]),
  );
  const conditionOf = (name: CommandName) => conditions.get(commandId(name)) ?? enabled.get(commandId(name));

  it('offers to connect, to start the local service and to show the log at any time, and nothing else without a connection', () => {
    const free = commandNames.filter((name) => {
      const condition = conditionOf(name);
      return (
        condition === undefined || !/^(false$|\(?resourceScheme == |workflowAutomation\.)/.test(condition)
      );
    });
    assert.deepEqual(
      new Set(free),
      new Set([
        'connection.add',
        'localService.start',
        'apiKey.create',
        'apiKey.revoke',
        'secret.create',
        'secret.replaceValue',
        'secret.delete',
        'keyGuard.moveKey',
        'nodeTypes.open',
        'showLog',
      ]),
    );
  });

  it('offers nothing that is of use on a row or a message only', () => {
    const hidden = commandNames.filter((name) => conditionOf(name) === 'false');
    assert.deepEqual(
      new Set(hidden),
      new Set([
        'localService.setDataAside',
        'workflows.loadMore',
        'execution.cancelFollowed',
        'execution.copyId',
        'execution.openFound',
        'executions.loadMore',
        'executions.loadMoreFound',
        'savedSearch.run',
        'savedSearch.remove',
        'savedSearch.showBadge',
        'savedSearch.hideBadge',
        'files.openFile',
        'nodeRun.open',
        'nodeRun.openLog',
        'nodeRun.retry',
        'nodeRun.openChild',
        'nodeRun.answerRequest',
        'nodeRun.copyAsCurl',
        'portalEvents.loadMore',
        'test.debug',
        'test.debugExecution',
        'test.openFailedNode',
        'row.open',
        'row.execute',
        'row.rename',
        'row.delete',
      ]),
    );
  });

  it('offers to clear, to stop and to mark as read only where there is something to', () => {
    for (const [name, key] of [
      ['workflows.clearFilter', 'hasFilter'],
      ['executions.clearFilter', 'hasExecutionFilter'],
      ['portalEvents.clearFilter', 'hasPortalEventFilter'],
      ['portalEvents.markAllRead', 'hasUnreadPortalEvents'],
      ['execution.stopFollowing', 'isFollowing'],
      ['localService.stop', 'isLocalServiceRunning'],
    ] as const) {
      assert.equal(enabled.get(commandId(name)), contextKeys[key], name);
      assert.equal(conditions.get(commandId(name)), undefined, 'the palette hides what is not enabled');
    }
  });

  it('keeps what a service may not offer, since running it is how one finds out', () => {
    for (const condition of conditions.values()) assert.ok(condition?.includes('cannot.') === false);
  });
});

describe('the keys', () => {
  const { keybindings } = manifest.contributes;
  const bound = (command: string) => keybindings.filter((each) => each.command === command);

  it('execute the document with the cursor', () => {
    const [key, ...others] = bound(commandId('workflow.execute'));
    assert.deepEqual(others, []);
    assert.match(key?.when ?? '', /^editorTextFocus && \(resourceScheme =~ /);
    assert.equal(key?.args, undefined);
  });

  for (const [name, views] of [
    ['row.open', [viewIds.workflows, viewIds.executions]],
    ['row.execute', [viewIds.workflows]],
    ['row.rename', [viewIds.workflows, viewIds.connections]],
    ['row.delete', [viewIds.workflows, viewIds.executions, viewIds.connections]],
  ] as const)
    it(`of ${name} act on the focused row of the view that has the focus, and on nothing while one types`, () =>
      assert.deepEqual(
        bound(commandId(name)).map(({ when, args }) => ({ when, args })),
        views.map((view) => ({
          when: `focusedView == ${view} && listFocus && !inputFocus`,
          args: { $treeViewId: view, $focusedTreeItem: true },
        })),
      ));
});
