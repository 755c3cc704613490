// The tools as a process, by the official client, against a service that is a process too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as v from 'valibot';
import type { JsonObject } from '../../../src/base/json.ts';
import { root } from '../../rig/paths.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';
import { readAnswer, type ToolAnswer } from '../../support/toolPorts.ts';

const program = [join(root, 'dist', 'cli.js'), 'mcp'];
const definition = {
  name: 'Doubling',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'end', type: 'output', config: { expression: '$number(input.n) * 2' } },
  ],
  edges: [{ source: 'start', target: 'end' }],
};
/** They take far longer to check than a check may take. */
const manyExpressions = Array.from({ length: 350_000 }, (_, n) => `{{ a${n} }}`).join('');
const Saved = v.looseObject({ workflowId: v.string() });

describe('the server of tools as a process', () => {
  let folder: string;
  let service: Program;
  let key: string;

  before(async () => {
    folder = await createDataFolder();
    key = await createKey(folder);
    service = await startProgram(folder);
  });
  after(async () => {
    await service.terminate();
    await removeDataFolder(folder);
  });

  const environment = (): Record<string, string> => ({
    // Its count of requests stays beside the data.
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    APPDATA: folder,
    WORKFLOW_API_KEY: key,
    WORKFLOW_BASE_URL: service.baseUrl,
  });

  async function connect(...args: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const { execPath: command } = process;
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...program, ...args],
        env: environment(),
        stderr: 'ignore',
      }),
    );
    return client;
  }

  async function call(client: Client, name: string, input: JsonObject): Promise<ToolAnswer> {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const [first] = content;
    assert.ok(first?.type === 'text');
    return readAnswer(first.text, isError === true);
  }

  it('reads and changes a service, and ends with its client', async () => {
    const client = await connect('--allow-changes');
    assert.equal((await client.listTools()).tools.length, 9);
    const { workflowId } = v.parse(
      Saved,
      (await call(client, 'saveDefinition', { definition, deploy: true })).data,
    );
    const failed = await call(client, 'executeWorkflow', { workflowId, input: { n: 'two' } });
    const { executionId } = v.parse(v.looseObject({ executionId: v.string() }), failed.data);
    const { data, text } = await call(client, 'explainFailure', { executionId });
    assert.equal(v.parse(v.looseObject({ nodeId: v.string() }), data).nodeId, 'end');
    assert.ok(!text.includes(key) && !text.includes(new URL(service.baseUrl).host));
    const checked = await call(client, 'checkDefinition', { workflowId });
    assert.deepEqual(checked.data, []);
    // Others are answered meanwhile.
    const endless = {
      nodes: [
        { id: 'start', type: 'trigger', config: {} },
        { id: 'x', type: 'log', config: { message: manyExpressions } },
      ],
      edges: [{ source: 'start', target: 'x' }],
    };
    const answers: string[] = [];
    await Promise.all([
      call(client, 'checkDefinition', { definition: endless }).then(({ text: words }) => answers.push(words)),
      call(client, 'listWorkflows', {}).then(() => answers.push('listed')),
    ]);
    assert.equal(answers[0], 'listed');
    assert.match(answers[1] ?? '', /could not be checked: it took longer/);
    await assert.rejects(call(client, 'getWeather', {}), /There is no tool/);
    await client.close();
  });

  it('says in a result what keeps it from the service, without its key', async () => {
    const { execPath: command } = process;
    const wrong = ['svc', 'sk', 'abcdefghijklmnopqrst'].join('_');
    const env = { ...environment(), WORKFLOW_API_KEY: wrong };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: program, env, stderr: 'ignore' }));
    const { isError, text } = await call(client, 'listWorkflows', {});
    assert.ok(
      isError && text.includes('Ask the user to replace the API key.') && !text.includes(wrong),
      text,
    );
    await client.close();
  });

  it('ends with its input, with exit code 0', async () => {
    const child = spawn(process.execPath, program, { env: environment(), stdio: 'pipe' });
    child.stdin.end();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('refuses a wrong command line with words and exit code 2', async () => {
    const child = spawn(process.execPath, [...program, '--odd'], { env: environment(), stdio: 'pipe' });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.match(words, /--odd/);
  });
});
