// The names that other people's keybindings, scripts and tests hold; each must work from the tree, from the palette and from code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';

/** As the table of fixed names has them, without their prefix. */
export const fixedCommands = [
  'connection.add',
  'connection.switch',
  'connection.remove',
  'connection.replaceKey',
  'connection.diagnose',
  'localService.start',
  'localService.stop',
  'apiKey.create',
  'apiKey.revoke',
  'workflow.list',
  'workflow.create',
  'workflow.import',
  'workflow.open',
  'workflow.export',
  'workflow.rename',
  'workflow.delete',
  'workflow.duplicate',
  'workflow.deploy',
  'workflow.undeploy',
  'workflow.openInput',
  'workflow.execute',
  'workflow.executeDraft',
  'execution.list',
  'execution.search',
  'execution.open',
  'execution.openInput',
  'execution.openOutput',
  'execution.showLogs',
  'execution.stopFollowing',
  'execution.cancel',
  'execution.retry',
  'execution.debug',
  'execution.rerun',
  'execution.compare',
  'execution.copyReport',
  'execution.openTimeline',
  'portalEvents.list',
] as const;

export type FixedCommand = (typeof fixedCommands)[number];

const Contribution = v.object({ command: v.string(), title: v.string(), category: v.string() });
const Entry = v.object({ command: v.optional(v.string()) });
const Manifest = v.object({
  contributes: v.object({
    commands: v.array(Contribution),
    submenus: v.array(v.object({ id: v.string(), label: v.string() })),
    menus: v.record(v.string(), v.array(Entry)),
  }),
});

export const idOf = (command: FixedCommand): string => `workflowAutomation.${command}`;

interface CommandWords {
  readonly menu: string;
  /** The submenu that it stands in; undefined for the menu itself. */
  readonly submenu: string | undefined;
  readonly palette: string;
}

/** The words under which a command stands in menus, and before them the category in the palette. */
export function titleOf(command: FixedCommand): CommandWords {
  const extension = vscode.extensions.getExtension('workflow-automation.workflow-automation');
  const { contributes } = v.parse(Manifest, extension?.packageJSON);
  const found = contributes.commands.find((each) => each.command === idOf(command));
  assert.ok(found, `package.json does not contribute ${idOf(command)}.`);
  const isIn = ({ id }: { readonly id: string }): boolean =>
    contributes.menus[id]?.some((entry) => entry.command === found.command) === true;
  const submenu = contributes.submenus.find(isIn)?.label;
  return { menu: found.title, submenu, palette: `${found.category}: ${found.title}` };
}
