// What the guide shows of the service's program is done as it stands there, line by line in a shell.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseJson } from '../../../src/base/json.ts';
import { textAt } from '../calls.ts';
import { createDataFolder, programPath, removeDataFolder } from './program.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../../media/guide/service.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```sh\n([^]+?)```/g)].map(([, block = '']) => block);

describe('The page on the service without VS Code', () => {
  let folder = '';
  before(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await createDataFolder();
  });
  after(() => removeDataFolder(folder));

  /** Runs the lines of a block that end by themselves, and returns what they print. */
  async function runBlock(command: string): Promise<string> {
    const block = blocks.find((each) => each.includes(command));
    assert.ok(block !== undefined, `No block has ${command}`);
    const lines = block
      .split('\n')
      .filter((line) => !line.includes('service.js serve'))
      .map((line) => line.replace('node dist/service.js', '"$NODE" "$PROGRAM"'));
    const env = {
      ...process.env,
      NODE: process.execPath,
      PROGRAM: programPath,
      TOKEN: 'a-token-of-a-person',
    };
    const { stdout } = await run('sh', ['-ec', lines.join('\n')], { cwd: folder, env });
    return stdout;
  }

  it('creates a key', async () => {
    const record = parseJson(await runBlock('keys create'));
    assert.equal(textAt(record, 'name'), 'My script');
  });

  it('sets, lists and deletes a secret, with a key of its own', async () => {
    const printed = await runBlock('secrets set');
    assert.match(printed, /"API_TOKEN"/);
    assert.doesNotMatch(printed, /a-token-of-a-person/);
  });
});
