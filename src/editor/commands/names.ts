// The names of commands, and what they're called in the editor.
import { isJsonObject } from '../../base/json.ts';
import { prefix } from '../ids.ts';
import type { declaredCommands } from './declared/all.ts';

/** A command's id without the prefix. */
export type CommandName = keyof typeof declaredCommands;

export type CommandId = `${typeof prefix}.${CommandName}`;

export function commandId(name: CommandName): CommandId {
  return `${prefix}.${name}`;
}

/** A command in package.json: its id, and the id without the prefix. */
interface ContributedCommand {
  readonly id: string;
  readonly name: string;
}

/** Reads what the editor has read of package.json: activation doesn't evaluate the declarations. */
export function contributedCommands(manifest: unknown): readonly ContributedCommand[] {
  return contributedIds(manifest, 'commands', 'command').map((id) => ({
    id,
    name: id.slice(prefix.length + 1),
  }));
}

/** The ids of all of one kind that package.json contributes; `member` has them. */
export function contributedIds(manifest: unknown, kind: string, member: string): readonly string[] {
  const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
  const all = isJsonObject(contributes) ? contributes[kind] : undefined;
  if (!Array.isArray(all)) return [];
  return all.flatMap((each) => {
    const id = isJsonObject(each) ? each[member] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
