// What an n8n offers is asked of it once it has answered: an older one has fewer calls, and drafts take a token.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { kindOf } from '../../support/reasons.ts';
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
  const withoutDrafts = 'archive,cancel,definition,mcp,retry,saveAlone';
  const all = 'archive,cancel,definition,draft,mcp,retry,saveAlone';
  /** Each answer is a chance to be told. */
  const untilTold = async (client: ServicePort, isTold: () => boolean) => {
    do await answered(client);
    while (!isTold());
  };

  it('has drafts with a token for a server that executes them, as long as there is one', async () => {
    const client = connect();
    await answered(client);
    assert.equal(offered(client), withoutDrafts);
    token = recordedToken;
    await untilTold(client, () => offered(client) === all);
    for (let count = 0; count < 3; count += 1) await answered(client);
    assert.deepEqual([asked('/stop').length, asked('tools/list').length], [1, 1]);
    token = '';
    await untilTold(client, () => offered(client) === withoutDrafts);
    assert.deepEqual(failures, []);
  });

  for (const mcpToken of ['', recordedToken])
    it(`lacks what an older one has not, ${mcpToken === '' ? 'without' : 'with'} a token`, async () => {
      token = mcpToken;
      world.n8n.version = 1;
      const client = connect();
      assert.equal([...((await client.learnOffers?.()) ?? [])].sort().join(), 'retry');
      const count = world.n8n.requests.length;
      await client.learnOffers?.();
      await answered(client);
      assert.equal(world.n8n.requests.length, count + 1);
      // Whether there is an MCP server is asked without any secret.
      const [bare] = asked('/mcp-server/');
      assert.deepEqual([bare?.headers.authorization, bare?.headers['x-n8n-api-key']], [undefined, undefined]);
      assert.deepEqual(failures, []);
    });

  it('has an MCP server that is not there yet while n8n starts', async () => {
    const { n8n } = world;
    token = recordedToken;
    const page = { status: 404, body: '<html><body><pre>Cannot POST /mcp-server/http</pre></body></html>' };
    n8n.passOn = () => page;
    const client = connect();
    assert.equal(await kindOf(client.mcp?.verify() ?? assert.fail()), 'unavailable');
    n8n.passOn = (_seen, answer) => answer;
    n8n.version = 1;
    assert.equal(await kindOf(client.mcp?.verify() ?? assert.fail()), 'notOffered');
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
    assert.deepEqual([offered(client), asked('tools/list').length], [withoutDrafts, before]);
    await new Promise<void>((resolve) => void clock.schedule(resolve, 60_000));
    await untilTold(client, () => offered(client) === all);
  });
});
