// Package.json and the code speak of the same ids, texts and settings; this holds the two equal, both ways.
import assert from 'node:assert/strict';
import { commandId } from '../../src/editor/commands/names.ts';
import { commandNames } from '../support/commandNames.ts';
import { contextKeys, graphViewId, schemes, viewIds } from '../../src/editor/ids.ts';
import { type FixedCommand, fixedCommands } from '../host/threeWays/fixedCommands.ts';
import { manifest, manifestText, textOf, texts } from '../support/manifest.ts';

/** Every kind of row with a menu: its view and what its contextValue says. */
const rowKinds = [
  [viewIds.workflows, 'workflow,deployed'],
  [viewIds.workflows, 'workflow,deployed,draftDiffers'],
  [viewIds.workflows, 'workflow,notDeployed'],
  [viewIds.workflows, 'workflow'],
  [viewIds.workflows, 'workflow,archived'],
  [viewIds.workflows, 'execution,running,followed'],
  [viewIds.executions, 'execution,running,cancellable'],
  [viewIds.executions, 'execution,failed'],
  [viewIds.executions, 'execution,failed,retry'],
  [viewIds.executions, 'execution,cancelled'],
  [viewIds.workflows, 'nodeRun,completed'],
  [viewIds.executions, 'execution,completed'],
  [viewIds.executions, 'nodeRun,failed,retryable'],
  [viewIds.executions, 'savedSearch,counted'],
  [viewIds.executions, 'savedSearch,uncounted'],
  [viewIds.portalEvents, 'portalEvent'],
  [viewIds.portalEvents, 'portalEvent,ofExecution'],
  [viewIds.connections, 'connection,local,active,running'],
  [viewIds.connections, 'connection,local,inactive,running'],
  [viewIds.connections, 'connection,local,inactive,stopped'],
  [viewIds.connections, 'connection,remote,active'],
  [viewIds.connections, 'connection,remote,inactive'],
  [viewIds.connections, 'apiKey,usableKey'],
] as const;

const workflowRow = [viewIds.workflows, 'workflow,deployed'] as const;
const executionRow = [viewIds.executions, 'execution,completed'] as const;
const connectionRow = [viewIds.connections, 'connection,remote,active'] as const;

/** Where each of the fixed commands stands in the tree: in the menu of a row, or in the title of a view. */
const placesInTree: Readonly<Record<FixedCommand, readonly [view: string, row: string]>> = {
  'connection.add': [viewIds.connections, 'title'],
  'connection.switch': connectionRow,
  'connection.remove': connectionRow,
  'connection.replaceKey': connectionRow,
  'connection.diagnose': connectionRow,
  'localService.start': [viewIds.connections, 'connection,local,inactive,stopped'],
  'localService.stop': [viewIds.connections, 'title'],
  'apiKey.create': [viewIds.connections, 'connection,local,active,running'],
  'apiKey.revoke': [viewIds.connections, 'apiKey,usableKey'],
  'workflow.list': [viewIds.workflows, 'title'],
  'workflow.create': [viewIds.workflows, 'title'],
  'workflow.import': [viewIds.workflows, 'title'],
  'workflow.open': workflowRow,
  'workflow.export': workflowRow,
  'workflow.rename': workflowRow,
  'workflow.delete': workflowRow,
  'workflow.duplicate': workflowRow,
  'workflow.deploy': [viewIds.workflows, 'workflow,notDeployed'],
  'workflow.undeploy': workflowRow,
  'workflow.openInput': workflowRow,
  'workflow.execute': workflowRow,
  'workflow.executeDraft': workflowRow,
  'execution.list': [viewIds.executions, 'title'],
  'execution.search': [viewIds.executions, 'title'],
  'execution.open': executionRow,
  'execution.openInput': executionRow,
  'execution.openOutput': executionRow,
  'execution.showLogs': executionRow,
  'execution.stopFollowing': [viewIds.executions, 'execution,running,followed'],
  'execution.cancel': [viewIds.executions, 'execution,running,cancellable'],
  'execution.retry': [viewIds.executions, 'execution,failed,retry'],
  'execution.debug': executionRow,
  'execution.rerun': executionRow,
  'execution.compare': executionRow,
  'execution.copyReport': executionRow,
  'execution.openTimeline': executionRow,
  'portalEvents.list': [viewIds.portalEvents, 'title'],
};

describe('manifest', () => {
  it('has the fixed extension id', () =>
    assert.equal(`${manifest.publisher}.${manifest.name}`, 'workflow-automation.workflow-automation'));

  it('contributes exactly the views that the code fills, each with an icon', () => {
    const views = manifest.contributes.views.workflowAutomation;
    assert.deepEqual(views.map(({ id }) => id).sort(), Object.values(viewIds).sort());
    assert.ok(views.every(({ icon }) => icon !== ''));
    const [graph, ...others] = manifest.contributes.views.workflowAutomationGraph;
    assert.deepEqual([graph?.id, others], [graphViewId, []]);
  });

  it('shows the path alone of each of our documents, never the connection id or the query', () => {
    const { resourceLabelFormatters } = manifest.contributes;
    const label = { label: '${path}', separator: '/', stripPathStartingSeparator: true };
    assert.deepEqual(
      Object.fromEntries(resourceLabelFormatters.map(({ scheme, formatting }) => [scheme, formatting])),
      Object.fromEntries(Object.values(schemes).map((scheme) => [scheme, label])),
    );
  });

  it('names only known commands in welcome views', () => {
    const known = new Set<string>(commandNames.map(commandId));
    const inTexts = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command ?? ''),
    );
    assert.ok(inTexts.length > 0);
    for (const command of inTexts)
      assert.ok(known.has(command) || command === 'workbench.action.openWalkthrough', command);
  });

  it('offers each of the fixed commands in the palette and in the tree', () => {
    const { menus } = manifest.contributes;
    const hidden = (menus['commandPalette'] ?? [])
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    for (const name of fixedCommands) {
      const [view, row] = placesInTree[name];
      const offered =
        row === 'title' ? entriesOfTitle(view) : entriesOf(view, row).map(({ command }) => command);
      assert.ok(offered.includes(commandId(name)), `${name} in ${view}: ${row}`);
      assert.ok(!hidden.includes(commandId(name)), `${name} in the palette`);
    }
  });

  it('fills each submenu, and opens each from a menu', () => {
    const { menus, submenus } = manifest.contributes;
    const opened = Object.values(menus).flatMap((items) => items.flatMap(({ submenu }) => submenu ?? []));
    assert.deepEqual(submenus.map(({ id }) => id).sort(), [...new Set(opened)].sort());
    for (const { id } of submenus) assert.ok((menus[id]?.length ?? 0) > 0, id);
  });

  it('has a text for every placeholder and a placeholder for every text', () => {
    const used = new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('anchors every regular expression of its conditions', () => {
    const { keybindings, menus } = manifest.contributes;
    const conditions = [...Object.values(menus).flat(), ...keybindings].map(({ when }) => when ?? '');
    const expressions = conditions.flatMap((when) =>
      [...when.matchAll(/=~ \/((?:[^/\\]|\\.)*)\//g)].map(([, text]) => text ?? ''),
    );
    assert.ok(expressions.length > 0);
    for (const text of expressions) assert.match(text, /^(\^|\(\^).*(\$|\$\))$/);
  });

  for (const [view, row] of rowKinds) {
    it(`has a menu for the row ${row}: at most three actions beside it, each in the menu as well, nothing twice`, () => {
      const entries = entriesOf(view, row);
      const inline = entries.filter(({ group }) => group.startsWith('inline'));
      const menu = entries.filter(({ group }) => !group.startsWith('inline'));
      assert.ok(inline.length <= 3);
      assert.ok(menu.length > 0);
      for (const entries of [inline, menu]) {
        for (const name of ['command', 'group'] as const) {
          const values = entries.map((entry) => entry[name]);
          assert.deepEqual(values, [...new Set(values)]);
        }
      }
      const inMenu = new Set(menu.map(({ command }) => command));
      assert.deepEqual(
        inline.filter(({ command }) => !inMenu.has(command)),
        [],
      );
    });
  }

  for (const view of Object.values(viewIds))
    it(`leaves room for the title of ${view} beside its buttons, also in a narrow sidebar`, () => {
      const shown = (manifest.contributes.menus['view/title'] ?? []).filter(
        ({ when = '', group = '' }) => when.startsWith(`view == ${view}`) && group.startsWith('navigation'),
      );
      // A search has others in their place.
      const inSearch = ({ when = '' }) => when.includes(`&& ${contextKeys.executionSearch}`);
      const inList = ({ when = '' }) => when.includes(`!${contextKeys.executionSearch}`);
      for (const isElsewhere of [inSearch, inList]) {
        const together = shown.filter((entry) => !isElsewhere(entry));
        assert.ok(together.length > 0 && together.length <= 2, together.map(({ command }) => command).join());
      }
    });

  it('offers to compare a draft with what is deployed where the two differ, and nowhere else', () => {
    const offers = (row: string) =>
      entriesOf(viewIds.workflows, row).some(
        ({ command }) => command === commandId('workflow.compareWithDeployed'),
      );
    assert.equal(offers('workflow,deployed,draftDiffers'), true);
    for (const row of ['workflow', 'workflow,deployed', 'workflow,notDeployed', 'execution,draftDiffersNot'])
      assert.equal(offers(row), false, row);
  });

  it('offers to unarchive what is archived, in place of what n8n refuses of it', () => {
    const offers = (row: string) => entriesOf(viewIds.workflows, row).map(({ command }) => command);
    const refused = ['execute', 'executeDraft', 'deploy', 'rename'] as const;
    for (const [row, isArchived] of [
      ['workflow,archived', true],
      ['workflow,notDeployed', false],
      ['workflow,deployed,draftDiffers', false],
    ] as const) {
      assert.equal(offers(row).includes(commandId('workflow.unarchive')), isArchived, row);
      for (const name of refused)
        assert.equal(offers(row).includes(commandId(`workflow.${name}`)), !isArchived, `${row} ${name}`);
      for (const name of ['open', 'delete'] as const)
        assert.ok(offers(row).includes(commandId(`workflow.${name}`)), `${row} ${name}`);
    }
  });

  it('stops following from the menu alone, with an icon that looks like no stop button', () => {
    const id = commandId('execution.stopFollowing');
    const entries = entriesOf(viewIds.executions, 'execution,running,followed');
    assert.deepEqual(
      entries.filter(({ command }) => command === id).map(({ group }) => group),
      ['2_follow@2'],
    );
    assert.equal(manifest.contributes.commands.find(({ command }) => command === id)?.icon, '$(eye-closed)');
  });

  it('lets no workspace change a setting that touches the network or guards keys', () => {
    const scopes = new Map(
      manifest.contributes.configuration.flatMap(({ properties }) =>
        Object.entries(properties).map(([name, { scope }]) => [name, scope] as const),
      ),
    );
    for (const name of ['keyGuard', 'keyPrefix', 'localService.startOnOpen', 'portalEvents.listen'])
      assert.equal(scopes.get(`workflowAutomation.${name}`), 'application', name);
  });

  it('shows its settings in named groups, those that few people need last', () => {
    const groups = manifest.contributes.configuration.map(({ title, order, properties }) => ({
      title: textOf(title),
      order,
      names: Object.keys(properties),
      orders: Object.values(properties).map((setting) => setting.order),
    }));
    assert.deepEqual(
      groups.map(({ title }) => title),
      ['Connections', 'Executions', 'Portal Events', 'Local Service', 'Advanced'],
    );
    assert.equal(groups.at(-1)?.names.at(-1), 'workflowAutomation.operations');
    for (const [at, { order, orders }] of groups.entries()) {
      assert.equal(order, at + 1);
      assert.deepEqual(
        orders,
        orders.map((_, index) => index + 1),
      );
    }
  });
});

/** The commands in the title of a view, as buttons or in its menu. */
function entriesOfTitle(view: string): readonly (string | undefined)[] {
  return (manifest.contributes.menus['view/title'] ?? [])
    .filter(({ when = '' }) => when.split(' && ').includes(`view == ${view}`))
    .map(({ command }) => command);
}

/** The menu entries of a row, as far as its view and its kind decide; a submenu counts as the entries in it. */
function entriesOf(
  view: string,
  row: string,
): readonly { readonly command: string; readonly group: string }[] {
  const holds = (condition: string): boolean => {
    if (condition.startsWith('!workflowAutomation.can.')) return false;
    const [, not, name, operator, value = ''] =
      /^(!\()?(view|viewItem) (==|=~) (.+?)\)?$/.exec(condition) ?? [];
    if (name === undefined) return true;
    const actual = name === 'view' ? view : row;
    const isSo =
      operator === '==' ? actual === value : new RegExp(value.replace(/^\/|\/$/g, '')).test(actual);
    return isSo === (not === undefined);
  };
  const { menus } = manifest.contributes;
  return (menus['view/item/context'] ?? [])
    .filter(({ when = '' }) => when.split(' && ').every(holds))
    .flatMap(({ command, submenu = '', group = '' }) =>
      command === undefined
        ? (menus[submenu] ?? []).map((entry) => ({
            command: entry.command ?? '',
            group: `${group}/${entry.group ?? ''}`,
          }))
        : [{ command, group }],
    );
}
