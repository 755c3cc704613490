// Commands that follow, as processes: what ends them, and what they go on through.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';

const waiting = (name: string, seconds: number) => ({
  name,
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'wait', type: 'delay', config: { milliseconds: seconds * 1000 } },
    { id: 'end', type: 'output', config: { expression: '"over"' } },
  ],
  edges: [
    { source: 'start', target: 'wait' },
    { source: 'wait', target: 'end' },
  ],
});

describe('a command that follows', () => {
  let folder = '';
  let data = '';
  let service: Program;
  let line: CommandLine;

  beforeEach(async () => {
    folder = await createDataFolder();
    data = join(folder, 'data');
    service = await startProgram(data);
    line = createCommandLine(folder, service.baseUrl, await createKey(data));
  });
  afterEach(async () => {
    await service.terminate();
    await removeDataFolder(folder);
  });

  async function deploy(name: string, seconds: number): Promise<void> {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(waiting(name, seconds)));
    for (const words of [
      ['workflow', 'create', file],
      ['workflow', 'deploy', name],
    ])
      assert.equal((await line.run(...words)).code, 0);
  }

  it('ends with SIGTERM as with Ctrl+C, by the code of that signal', async function () {
    if (process.platform === 'win32') this.skip();
    await deploy('Long', 60);
    const child = line.start(['workflow', 'execute', 'Long', '--wait']);
    child.stderr?.once('data', () => child.kill('SIGTERM'));
    const { code, stderr, stdout } = await finish(child);
    assert.deepEqual([code, stdout], [143, '']);
    const [, executionId = ''] = /The execution (\S+) goes on\./.exec(stderr) ?? [];
    assert.equal((await line.run('execution', 'cancel', executionId)).code, 0);
  });

  it('goes on when the service comes back', async () => {
    await deploy('Short', 3);
    const child = line.start(['workflow', 'execute', 'Short', '--wait']);
    const { port } = new URL(service.baseUrl);
    child.stderr?.once('data', () => {
      void service.kill().then(async () => {
        service = await startProgram(data, '--port', port);
      });
    });
    const { code, stderr, stdout } = await finish(child);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '"over"\n');
    assert.match(stderr, /^The connection was lost\. Connecting again in \d+ s\.$/m);
    assert.equal(stderr.match(/ end: completed/g)?.length, 1, stderr);
  });

  it('ends with its words where the service takes the key no more', async () => {
    await deploy('Refused', 60);
    const child = line.start(['workflow', 'execute', 'Refused', '--wait']);
    const { port } = new URL(service.baseUrl);
    const other = join(folder, 'other');
    child.stderr?.once('data', () => {
      void service.kill().then(async () => {
        service = await startProgram(other, '--port', port);
      });
    });
    const { code, stderr, stdout } = await finish(child);
    assert.deepEqual([code, stdout], [3, ''], stderr);
    assert.match(stderr, /^The service rejected the API key\b.*$/m);
    assert.ok(!/\n +at /.test(stderr));
  });
});
