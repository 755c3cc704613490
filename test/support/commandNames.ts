import { declaredCommands, isCommandName } from '../../src/editor/commands/declared/all.ts';

export const commandNames = Object.keys(declaredCommands).filter(isCommandName);
