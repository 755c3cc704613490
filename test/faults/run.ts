// Prints the table of faults: what a person is told by a window and by each command, what was sent, and that nothing was lost or sent twice.
import { say } from '../rig/say.ts';
import { openCommandFolder } from './commandCell.ts';
import { faultedCommands } from './commands.ts';
import { faults } from './faults.ts';
import { operations } from './operations.ts';
import { tryRow } from './row.ts';

const widest = 90;
const shorten = (text: string): string => (text.length > widest ? `${text.slice(0, widest - 1)}…` : text);

/** "GET ×4, POST" */
function describeSent(sent: readonly string[]): string {
  const methods = sent.map((line) => line.split(' ')[0] ?? '');
  const counted = [...new Set(methods)].map((method) => {
    const count = methods.filter((each) => each === method).length;
    return count === 1 ? method : `${method} ×${count}`;
  });
  return counted.join(', ') || 'nothing';
}

let brokenCells = 0;
function print(
  name: string,
  { sent, broken }: { readonly sent: readonly string[]; readonly broken: readonly string[] },
  outcome: string,
): void {
  const verdict = broken.length === 0 ? 'held' : `BROKEN: ${broken.join('; ')}`;
  const shown = shorten(outcome.trim().replaceAll('\n', ' '));
  say(`  ${name.padEnd(45)} ${describeSent(sent).padEnd(16)} ${verdict.padEnd(6)} ${shown}`);
  if (broken.length > 0) brokenCells += 1;
}

await using folder = await openCommandFolder();
for (const fault of faults) {
  say(`\n${fault.name}`);
  const row = await tryRow(fault, folder);
  for (const cell of row.operations) print(cell.name, cell, cell.outcome);
  for (const cell of row.commands) print(cell.name, cell, `${cell.code} ${cell.stderr || cell.stdout}`);
}
say(
  `\n${faults.length} faults × ${operations.length} operations and ${faultedCommands.length} commands, ${brokenCells} broken`,
);
process.exitCode = brokenCells === 0 ? 0 : 1;
