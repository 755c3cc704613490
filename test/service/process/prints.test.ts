// What libraries print never ends the service; an uncaught error ends it with a message, without a key.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { secretKey } from '../../support/oddPrints.ts';
import { textAt } from '../calls.ts';
import { createDataFolder, removeDataFolder, startProcess } from './program.ts';

const printing = ['--import', new URL('../../support/printOdds.ts', import.meta.url).href];

describe('A process in which a library prints whatever it likes', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  async function start() {
    const program = await startProcess(['serve', '--data', dataFolder, '--port', '0'], printing);
    const health = new URL('/health', textAt(program.line, 'baseUrl'));
    return { program, ask: async () => (await fetch(health)).status };
  }

  it('keeps serving, and ends with 0', async () => {
    const { program, ask } = await start();
    for (let times = 0; times < 3; times += 1) assert.equal(await ask(), 200);
    await program.terminate();
    assert.equal(program.child.exitCode, 0, program.errors().slice(-1000));
    assert.match(program.errors(), /Worker tick failed/);
    assert.ok(!program.errors().includes(secretKey.slice(0, 20)));
  });

  it('keeps serving when nobody reads its log any more', async () => {
    const { program, ask } = await start();
    program.child.stderr?.destroy();
    for (let times = 0; times < 3; times += 1) assert.equal(await ask(), 200);
    await program.terminate();
    assert.equal(program.child.exitCode, 0);
  });

  for (const title of ['undefined', 'a symbol', 'a proxy that throws', 'an error whose stack throws'])
    it(`ends with a message and 1 when nothing catches ${title}`, async () => {
      process.env['ODD_REJECTION'] = title;
      const { program, ask } = await start().finally(() => delete process.env['ODD_REJECTION']);
      const ended = once(program.child, 'close');
      await ask().catch(() => undefined);
      await ended;
      assert.equal(program.child.exitCode, 1, program.errors().slice(-1000));
      assert.match(program.errors(), /The process ends because of an unexpected error\./);
      assert.ok(!program.errors().includes(secretKey.slice(0, 20)));
    });
});
