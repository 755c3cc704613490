// The server of tools as a process, line by line: what the protocol demands, whoever the client is.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../src/base/json.ts';
import { at, textAt } from '../../service/calls.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';
import { createCommandLine } from '../../support/commandLine.ts';
import { readAnswer } from '../../support/toolPorts.ts';

/** JSON in which a number has more digits than JavaScript's own. */
const exactDigits = '9007199254740993';

const resting = {
  name: 'Resting',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'rest', type: 'delay', config: { milliseconds: 60_000 } },
  ],
  edges: [{ source: 'start', target: 'rest' }],
};

/** Sends lines, and reads the messages that come. */
class LineClient {
  readonly child: ChildProcess;
  readonly received: JsonObject[] = [];
  /** Lines that are no message. */
  readonly odd: string[] = [];
  errors = '';
  #lastId = 0;
  #onMessage: () => void = () => undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    assert.ok(child.stdout && child.stderr);
    child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parseJson(line);
      if (isJsonObject(message) && message['jsonrpc'] === '2.0') this.received.push(message);
      else this.odd.push(line);
      this.#onMessage();
    });
  }

  write(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }

  notify(method: string, params: JsonObject = {}): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Returns the request's id. */
  send(method: string, params?: JsonObject): number {
    const id = (this.#lastId += 1);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    return id;
  }

  /** The first message that fits, once it's there. */
  async find(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#onMessage = resolve;
      });
    }
  }

  answer(id: number): Promise<JsonObject> {
    return this.find((message) => message['id'] === id);
  }

  async ask(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.answer(this.send(method, params));
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<JsonObject> {
    const clientInfo = { name: 'test', version: '1' };
    const answer = await this.ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }
}

const codeOf = (answer: JsonObject): JsonValue | undefined => at(answer['error'], 'code');

/** The data of a tool's result. */
function dataOf(answer: JsonObject): JsonValue | undefined {
  const content = at(answer['result'], 'content');
  assert.ok(isJsonArray(content), JSON.stringify(answer));
  return readAnswer(textAt(content[0], 'text'), false).data;
}

describe('the server of tools, by the lines of its protocol', () => {
  let folder = '';
  let service: Program;
  let line: ReturnType<typeof createCommandLine>;
  let client: LineClient;

  before(async () => {
    folder = await createDataFolder();
    service = await startProgram(folder);
    line = createCommandLine(folder, service.baseUrl, await createKey(folder));
  });
  after(async () => {
    await service.terminate();
    await removeDataFolder(folder);
  });
  beforeEach(() => {
    client = new LineClient(line.start(['mcp', '--allow-changes']));
  });
  afterEach(async () => {
    client.child.stdin?.end();
    if (client.child.exitCode === null) await once(client.child, 'close');
    assert.deepEqual([client.child.exitCode, client.odd, client.errors], [0, [], '']);
  });

  const call = (name: string, given: JsonObject): Promise<JsonObject> =>
    client.ask('tools/call', { name, arguments: given });

  it('agrees on a version, also with a client that wants one that nobody knows', async () => {
    for (const wanted of ['2025-11-25', '2024-11-05', '1999-01-01']) {
      const other = new LineClient(line.start(['mcp']));
      const { result } = await other.initialize(wanted);
      const agreed = textAt(result, 'protocolVersion');
      if (wanted === '1999-01-01') assert.match(agreed, /^20\d\d-\d\d-\d\d$/);
      else assert.equal(agreed, wanted);
      assert.ok(isJsonObject(at(at(result, 'capabilities'), 'tools')));
      assert.equal(textAt(at(result, 'serverInfo'), 'name'), 'workflow-automation');
      assert.deepEqual((await other.ask('ping'))['result'], {});
      other.child.stdin?.end();
      await once(other.child, 'close');
    }
  });

  it('lists tools that any client can read', async () => {
    await client.initialize();
    const tools = at((await client.ask('tools/list'))['result'], 'tools');
    assert.ok(isJsonArray(tools) && tools.length === 9);
    for (const tool of tools) {
      assert.match(textAt(tool, 'name'), /^[\w.-]{1,64}$/);
      const schema = at(tool, 'inputSchema');
      assert.equal(at(schema, 'type'), 'object');
      // Of the parts of a schema, models' providers refuse these most.
      assert.doesNotMatch(JSON.stringify(schema), /"(?:\$ref|\$defs|allOf|oneOf|not|if)"/);
    }
  });

  it('answers what is wrong with the codes of the protocol, and goes on', async () => {
    await client.initialize();
    client.write('this is no JSON');
    client.write('{"jsonrpc":"1.0","id":"odd"}');
    client.write('[]');
    client.write('');
    assert.equal(codeOf(await client.ask('tools/nothing')), -32601);
    assert.equal(codeOf(await call('getWeather', {})), -32602);
    assert.equal(codeOf(await client.ask('tools/call')), -32602);
    assert.equal(codeOf(await client.ask('tools/call', { name: 'listWorkflows', arguments: 'all' })), -32602);
    assert.equal(at((await call('getExecution', { odd: true }))['result'], 'isError'), true);
    assert.equal(at((await call('listWorkflows', {}))['result'], 'isError'), false);
  });

  it('keeps the digits of numbers in both directions', async () => {
    await client.initialize();
    const definition = {
      name: 'Exact',
      nodes: [{ id: 'start', type: 'trigger', config: { inputSchema: { const: 0 } } }],
      edges: [],
    };
    const given = JSON.stringify(definition).replace('"const":0', `"const":${exactDigits}`);
    client.write(
      `{"jsonrpc":"2.0","id":"exact","method":"tools/call","params":{"name":"saveDefinition","arguments":{"definition":${given}}}}`,
    );
    const saved = await client.find((message) => message['id'] === 'exact');
    const workflowId = textAt(dataOf(saved), 'workflowId');
    const read = await call('getDefinition', { workflowId });
    assert.ok(JSON.stringify(dataOf(read)).includes(`"const":${exactDigits}`));
    const shown = await line.run('workflow', 'show', workflowId);
    assert.ok(shown.stdout.includes(exactDigits), shown.stdout);
  });

  it('says how far a call is, and answers none that was cancelled', async () => {
    await client.initialize();
    const saved = await call('saveDefinition', { definition: resting, deploy: true });
    const workflowId = textAt(dataOf(saved), 'workflowId');
    const id = client.send('tools/call', {
      name: 'executeWorkflow',
      arguments: { workflowId },
      _meta: { progressToken: 'resting' },
    });
    const { params } = await client.find(({ method }) => method === 'notifications/progress');
    assert.deepEqual([at(params, 'progressToken'), typeof at(params, 'progress')], ['resting', 'number']);
    client.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    const listed = dataOf(await call('listExecutions', { workflowId }));
    assert.match(textAt(isJsonArray(listed) ? listed[0] : undefined, 'status'), /^(?:running|waiting)$/);
    assert.ok(client.received.every((message) => message['id'] !== id));
  });

  it('ends where a message has no end', async () => {
    await client.initialize();
    client.child.stdin?.on('error', () => undefined);
    client.child.stdin?.write('x'.repeat(11 * 1024 * 1024));
    await once(client.child, 'close');
  });

  it('answers what was asked before its input ended', async () => {
    const clientInfo = { name: 'test', version: '1' };
    client.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.notify('notifications/initialized');
    client.send('tools/call', { name: 'listWorkflows', arguments: {} });
    client.send('tools/list');
    client.child.stdin?.end();
    await once(client.child, 'close');
    assert.deepEqual(new Set(client.received.map(({ id }) => id)), new Set([1, 2, 3]));
    assert.ok(client.received.every(({ result }) => isJsonObject(result)));
  });

  it('ends with its input while a call is under way, which the service carries on with', async () => {
    await client.initialize();
    const saved = await call('saveDefinition', { definition: resting, deploy: true });
    const workflowId = textAt(dataOf(saved), 'workflowId');
    client.send('tools/call', {
      name: 'executeWorkflow',
      arguments: { workflowId },
      _meta: { progressToken: 1 },
    });
    await client.find(({ method }) => method === 'notifications/progress');
    client.child.stdin?.end();
    await once(client.child, 'close');
    const listed = await line.json(0, 'execution', 'list', '--workflow', workflowId);
    assert.match(textAt(isJsonArray(listed) ? listed[0] : undefined, 'status'), /^(?:running|waiting)$/);
  });
});
