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
  const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
  const commands = isJsonObject(contributes) ? contributes['commands'] : undefined;
  if (!Array.isArray(commands)) return [];
  return commands.flatMap((each) => {
    const id = isJsonObject(each) ? each['command'] : undefined;
    return typeof id === 'string' ? [{ id, name: id.slice(prefix.length + 1) }] : [];
  });
}
