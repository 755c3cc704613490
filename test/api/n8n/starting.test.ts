// An n8n that starts is waited for: it's unavailable then, whatever its web server says.
import assert from 'node:assert/strict';
import type { FollowItem } from '../../../src/api/servicePort.ts';
import { kindOf } from '../../support/reasons.ts';
import { createN8nWorld, type N8nWorld, turnOf } from '../../support/n8n/world.ts';

const webhook = { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } };
const content = {
  name: 'Sorts',
  nodes: [webhook],
  connections: {},
  settings: { saveExecutionProgress: true },
};
const page = (path: string) =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET ${path}</pre>\n</body>\n</html>\n`;
/** In the order in which it answers so. */
const stages = [
  ['says that it starts', () => ({ status: 200, body: 'n8n is starting up. Please wait' })],
  ['knows no route yet', (path: string) => ({ status: 404, body: page(path) })],
] as const;

describe('an n8n that starts', () => {
  let world: N8nWorld;
  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  for (const [title, answer] of stages)
    it(`is unavailable while it ${title}`, async () => {
      const { client, n8n } = world;
      const { id } = n8n.addWorkflow(content);
      n8n.instead = (request) => answer(`/api/v1${request.split(' ')[1] ?? ''}`);
      const { workflows, executions } = client;
      for (const call of [
        () => workflows.list({}),
        () => workflows.get(id),
        () => workflows.update(id, { name: 'x' }),
        () => workflows.deploy(id),
        () => executions.list({}),
        () => executions.get('1'),
        () => executions.getWithInput('1'),
        () => executions.cancel('1'),
      ])
        assert.equal(await kindOf(call()), 'unavailable', String(call));
      n8n.instead = () => undefined;
      assert.equal((await workflows.get(id)).name, 'Sorts');
    });

  it('is followed to the end of what it had begun before', async () => {
    const { client, n8n } = world;
    const workflow = n8n.addWorkflow(content);
    n8n.activate(workflow);
    const { id } = n8n.start(workflow.id);
    const stop = new AbortController();
    const said: string[] = [];
    let polls = 0;
    n8n.instead = (request) => {
      if (!request.startsWith('GET /executions/')) return undefined;
      polls += 1;
      if (polls === 2) return stages[0][1]();
      if (polls === 3 || polls === 4) return stages[1][1](`/api/v1/executions/${id}`);
      if (polls === 5) {
        n8n.ran(id, 'Input', turnOf(Date.now(), 0, [{}]));
        n8n.end(id, 'success');
      }
      return undefined;
    };
    for await (const item of client.executions.follow(String(id), {}, stop.signal)) said.push(inShort(item));
    assert.deepEqual(said.at(-1), 'end completed');
    assert.ok(said.includes('lost'), said.join());
  });

  it('is told from a server that is none', async () => {
    const { client, n8n } = world;
    n8n.instead = () => ({ status: 404, body: '<html><body><h1>404 Not Found</h1></body></html>' });
    assert.equal(await kindOf(client.workflows.list({})), 'notOffered');
  });
});

function inShort(item: FollowItem): string {
  return item.kind === 'end' ? `end ${item.status.state}` : item.kind;
}
