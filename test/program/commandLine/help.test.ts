// Every command says what it takes: the same table is read by its help and by its arguments.
import assert from 'node:assert/strict';
import { escapeExpression } from '../../../src/base/masking.ts';
import { optionsOf } from '../../../src/program/commandLine/arguments.ts';
import { commands } from '../../../src/program/commandLine/commandTable.ts';
import { runHere } from '../../support/runHere.ts';

describe('the help of the command line', () => {
  it('lists every command', async () => {
    const { code, stdout } = await runHere(['help']);
    assert.equal(code, 0);
    for (const { name, takes, says } of commands)
      assert.match(
        stdout,
        new RegExp(`^  ${escapeExpression([name, ...takes].join(' '))} +${escapeExpression(says)}$`, 'm'),
      );
    assert.deepEqual(await runHere([]), { code, stdout, stderr: '' });
  });

  for (const command of commands)
    it(`has what "${command.name}" takes, and an example`, async () => {
      const { name, takes, says, example } = command;
      const words = name.split(' ');
      const { code, stdout, stderr } = await runHere(['help', ...words]);
      assert.deepEqual([code, stderr], [0, '']);
      assert.ok(stdout.startsWith(`workflow-automation ${[name, ...takes].join(' ')}\n\n${says}.\n`), stdout);
      assert.ok(stdout.endsWith(`\nExample:\n  ${example}\n`), stdout);
      assert.ok(example.startsWith(`workflow-automation ${name}`), example);
      if (command.passesOn === true) return;
      for (const [option, { value = '' }] of Object.entries(optionsOf(command)))
        assert.ok(stdout.includes(`  --${option}${value === '' ? '' : ` ${value}`} `), option);
      for (const others of [
        [...words, '--help'],
        ['--help', ...words],
        ['-h', ...words],
      ])
        assert.deepEqual(await runHere(others), { code, stdout, stderr });
    });
});
