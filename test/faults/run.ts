// Prints the table of faults: what a person is told, what was sent, and that nothing was lost or sent twice.
import { say } from '../rig/say.ts';
import { tryCell } from './cell.ts';
import { faults } from './faults.ts';
import { operations } from './operations.ts';

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
for (const fault of faults) {
  say(`\n${fault.name}`);
  const cells = await Promise.all(operations.map((operation) => tryCell(fault, operation)));
  for (const [index, { outcome, sent, broken }] of cells.entries()) {
    const name = operations[index]?.name ?? '';
    const verdict = broken.length === 0 ? 'held' : `BROKEN: ${broken.join('; ')}`;
    say(`  ${name.padEnd(22)} ${describeSent(sent).padEnd(16)} ${verdict.padEnd(6)} ${shorten(outcome)}`);
    if (broken.length > 0) brokenCells += 1;
  }
}
say(`\n${faults.length} faults × ${operations.length} operations, ${brokenCells} broken`);
process.exitCode = brokenCells === 0 ? 0 : 1;
