// What an n8n offers is asked of it once it has answered: an older one has fewer calls, and drafts take a token.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';

describe('what an n8n offers', () => {
  let world: N8nWorld;
  let token: string;
  const failures: unknown[] = [];
  beforeEach(async () => {
    world = await createN8nWorld();
    token = '';
    failures.length = 0;
  });
  afterEach(() => world.dispose());

  const connect = (): ServicePort =>
    world.connect({
      mcpToken: () => token,
      owner: { connectionId: 'c', onFailure: (error) => void failures.push(error) },
    });
  const asked = (part: string) => world.n8n.requests.filter(({ url, text }) => (url + text).includes(part));
  const offered = ({ capabilities }: ServicePort) => [...capabilities.current].sort().join();
  const answered = async (client: ServicePort) => {
    await client.workflows.list({ limit: 1 });
  };
  /** Each answer is a chance to be told. */
  const untilTold = async (client: ServicePort, isTold: () => boolean) => {
    do await answered(client);
    while (!isTold());
  };

  it('has drafts with a token for a server that executes them, as long as there is one', async () => {
    const client = connect();
    await answered(client);
    assert.equal(offered(client), 'cancel,definition,retry');
    token = recordedToken;
    await untilTold(client, () => offered(client) === 'cancel,definition,draft,retry');
    for (let count = 0; count < 3; count += 1) await answered(client);
    assert.deepEqual([asked('/stop').length, asked('tools/list').length], [1, 1]);
    token = '';
    await untilTold(client, () => offered(client) === 'cancel,definition,retry');
    assert.deepEqual(failures, []);
  });

  it('lacks what an older one answers that it has not', async () => {
    token = recordedToken;
    world.n8n.instead = (call) =>
      call.endsWith('/stop') ? { status: 404, body: { message: 'not found' } } : undefined;
    world.n8n.passOn = ({ url }, answer) =>
      url.startsWith('/mcp-server/') ? { status: 404, body: { message: 'not found' } } : answer;
    const client = connect();
    await untilTold(client, () => offered(client) === 'definition,retry' && asked('tools/list').length === 1);
    assert.deepEqual(failures, []);
  });

  it('is asked again a minute after it could not be told', async () => {
    const { n8n, clock } = world;
    token = recordedToken;
    n8n.passOn = ({ url }, answer) =>
      url.startsWith('/mcp-server/') ? { status: 401, body: { message: 'Unauthorized' } } : answer;
    const client = connect();
    await untilTold(client, () => asked('tools/list').length > 0);
    n8n.passOn = (_seen, answer) => answer;
    const before = asked('tools/list').length;
    for (let count = 0; count < 3; count += 1) await answered(client);
    assert.deepEqual([offered(client), asked('tools/list').length], ['cancel,definition,retry', before]);
    await new Promise<void>((resolve) => void clock.schedule(resolve, 60_000));
    await untilTold(client, () => offered(client) === 'cancel,definition,draft,retry');
  });
});
