// Under each fault each operation ends with an answer or a typed error, sends no change twice, keeps the key, and the client goes on. Each command
// ends with the right code, with nothing on stdout but its result, and with a window's words on stderr.
import assert from 'node:assert/strict';
import { type CommandFolder, openCommandFolder } from './commandCell.ts';
import { faultedCommands } from './commands.ts';
import { faults } from './faults.ts';
import { tryRow } from './row.ts';
import { commands } from '../../src/program/commandLine/commandTable.ts';

describe('Faults', () => {
  let folder: CommandFolder;
  before(async () => {
    folder = await openCommandFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  it('are at least sixty, each named once', () => {
    assert.ok(faults.length >= 60);
    assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  });

  it('hit every command that asks a service', () => {
    const isHit = (name: string): boolean =>
      faultedCommands.some(({ words }) => words.join(' ').startsWith(name));
    const others = commands.filter(({ asksService, name }) => asksService && !isHit(name));
    // Those of files work in the program's own folder, and tools say what the model says: both in these words too.
    assert.deepEqual(
      others.map(({ name }) => name.split(' ')[0]),
      ['files', 'files', 'files', 'files', 'files', 'mcp'],
    );
  });

  for (const fault of faults)
    it(`${fault.name}: every operation and every command ends well`, async () => {
      const { operations, commands: ended } = await tryRow(fault, folder);
      const broken = [...operations, ...ended].flatMap((cell) =>
        cell.broken.map((what) => `${cell.name}: ${what}`),
      );
      assert.deepEqual(broken, []);
    });
});
