// One row of the table: every operation and every command under one fault.
import { type Cell, tryCell } from './cell.ts';
import { type CommandCell, type CommandFolder, tryCommand } from './commandCell.ts';
import { faultedCommands } from './commands.ts';
import { operations } from './operations.ts';
import type { Fault } from './answers.ts';

export interface TableRow {
  readonly operations: readonly (Cell & { readonly name: string })[];
  readonly commands: readonly (CommandCell & { readonly name: string })[];
}

export async function tryRow(fault: Fault, folder: CommandFolder): Promise<TableRow> {
  const ofOperations = await Promise.all(
    operations.map(async (operation) => ({ name: operation.name, ...(await tryCell(fault, operation)) })),
  );
  const told = new Map(ofOperations.map(({ name, outcome }) => [name, outcome]));
  const ofCommands = await Promise.all(
    faultedCommands.map(async (command) => ({
      name: command.words.join(' '),
      ...(await tryCommand(fault, command, folder, told)),
    })),
  );
  return { operations: ofOperations, commands: ofCommands };
}
