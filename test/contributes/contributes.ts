// What package.json and its texts say of commands, from their declarations.
import { format } from 'prettier';
import * as v from 'valibot';
import { type Declaration, type MenuPlace, submenus } from '../../src/editor/commands/declaration.ts';
import { commandId } from '../../src/editor/commands/names.ts';
import { inputSchemaOf } from '../../src/languageTools/inputSchema.ts';
import type { LanguageTool } from '../../src/languageTools/languageTool.ts';
import { languageTools } from '../../src/languageTools/languageTools.ts';
import { declaredCommands } from '../../src/editor/commands/declared/all.ts';
import type { When } from '../../src/editor/commands/when.ts';
import { contextKeys, prefix } from '../../src/editor/ids.ts';
import { commandNames } from '../support/commandNames.ts';

const Members = v.record(v.string(), v.unknown());

/** A command or a submenu in a menu. */
interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

const declarations: readonly (readonly [(typeof commandNames)[number], Declaration])[] = commandNames.map(
  (name) => [name, declaredCommands[name]],
);

const condition = (when: When = []) => (when.length === 0 ? {} : { when: when.join(' && ') });
/** Menus of the editor have a slash in their names or are the palette's; the others are ours. */
const menuId = (menu: string): string => (menu.includes('/') ? menu : `${prefix}.${menu}`);

const commands = declarations.map(([name, { shortTitle, icon, enablement }]) => ({
  command: commandId(name),
  title: `%command.${name}%`,
  ...(shortTitle === undefined ? {} : { shortTitle: `%shortTitle.${name}%` }),
  ...(enablement === undefined ? {} : { enablement }),
  category: '%command.category%',
  ...(icon === undefined ? {} : { icon }),
}));

const entriesOf = (what: Entry, { menu, groups, when }: MenuPlace) =>
  groups.map((group) => ({ menu: menuId(menu), entry: { ...what, ...condition(when), group } }));

const placed = [
  ...Object.entries(submenus).flatMap(([name, place]) => entriesOf({ submenu: menuId(name) }, place)),
  ...declarations.flatMap(([name, { menus = [] }]) =>
    menus.flatMap((place) => entriesOf({ command: commandId(name) }, place)),
  ),
];

const palette = declarations.flatMap(([name, { enablement, palette }]) => {
  const when = palette ?? (enablement === undefined ? [contextKeys.hasConnection] : []);
  return when.length === 0 ? [] : [{ command: commandId(name), ...condition(when) }];
});

const menus = {
  ...Object.fromEntries(
    [...Map.groupBy(placed, ({ menu }) => menu)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([menu, entries]) => [menu, entries.map(({ entry }) => entry)]),
  ),
  commandPalette: palette,
};

const keybindings = declarations.flatMap(([name, { keys = [] }]) =>
  keys.map(({ when, args, ...key }) => ({
    command: commandId(name),
    ...key,
    ...condition(when),
    ...(args === undefined ? {} : { args }),
  })),
);

const titles = declarations.flatMap(([name, { title, shortTitle }]) => [
  [`command.${name}`, title],
  ...(shortTitle === undefined ? [] : [[`shortTitle.${name}`, shortTitle]]),
]);

const tools = Object.entries<LanguageTool>(languageTools);

const languageModelTools = tools.map(([name, tool]) => ({
  name: `${prefix}_${name}`,
  displayName: `%tool.${name}%`,
  userDescription: `%toolSummary.${name}%`,
  modelDescription: tool.description,
  inputSchema: inputSchemaOf(tool),
  toolReferenceName: name,
  canBeReferencedInPrompt: true,
  icon: tool.icon,
  tags: ['workflows'],
  when: contextKeys.hasConnection,
}));

const toolTexts = tools.flatMap(([name, { title, summary }]) => [
  [`tool.${name}`, title],
  [`toolSummary.${name}`, summary],
]);

const formatJson = async (value: unknown) => format(JSON.stringify(value), { parser: 'json-stringify' });

/** Returns package.json with the commands and the tools as they're declared. */
export async function fillManifest(manifest: string): Promise<string> {
  const members = v.parse(Members, JSON.parse(manifest));
  const contributes = v.parse(Members, members['contributes']);
  return formatJson({
    ...members,
    contributes: { ...contributes, commands, keybindings, menus, languageModelTools },
  });
}

/** Returns package.nls.json with the titles as they're declared. */
export async function fillTexts(texts: string): Promise<string> {
  const entries = Object.entries(v.parse(Members, JSON.parse(texts)));
  return formatJson(
    Object.fromEntries(
      entries.flatMap(([key, text]) => {
        if (key === 'command.category') return [[key, text], ...titles, ...toolTexts];
        return /^(command|shortTitle|tool|toolSummary)\./.test(key) ? [] : [[key, text]];
      }),
    ),
  );
}
