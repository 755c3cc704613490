// A service that chose otherwise must work for everything it offers: the same scenarios run over each.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { createOddClient, firstWorkflowId, runOdd } from '../../support/odd/oddClient.ts';
import { definition } from '../../support/odd/oddWorld.ts';
import { kindOf } from '../../support/reasons.ts';
import { oddServices } from './oddServices.ts';
import type { ExecutionQuery } from '../../../src/domain/queries.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

for (const service of oddServices)
  describe(`a service ${service.title}`, () => {
    let client: ServicePort;
    beforeEach(() => {
      client = createOddClient(service);
    });
    afterEach(() => client.dispose());

    const workflows = () => client.workflows.listWhole({ limit: 1000, purpose: 'workflows' });
    const firstId = () => firstWorkflowId(client);
    const run = () => runOdd(client, service.linksNoEvents);

    async function follow(executionId: string): Promise<readonly string[]> {
      const seen: string[] = [];
      const { signal } = new AbortController();
      for await (const item of client.executions.follow(executionId, {}, signal)) {
        if (item.kind === 'logs')
          seen.push(...item.logs.map(({ message }) => message.replace(/^"\S+Z" /, '')));
        else seen.push(item.kind === 'end' ? `end ${item.status.state}` : item.kind);
      }
      return seen;
    }

    it('lists its workflows', async () => {
      const items = await workflows();
      assert.deepEqual(
        items.map(({ name, isDeployed }) => [name, isDeployed]),
        [
          ['Second', false],
          ['First', false],
        ],
      );
      assert.ok(items.every(({ createdAt }) => createdAt?.getUTCFullYear() === 2026));
    });

    it('opens one of them', async () => {
      const { name, hasDefinition, raw } = await client.workflows.get(await firstId());
      assert.deepEqual([name, hasDefinition, raw['nodes']], ['First', true, definition.nodes]);
      assert.equal(await kindOf(client.workflows.get('99')), 'notFound');
    });

    it('creates one, and says what is wrong with another', async () => {
      const made = await client.workflows.create({ name: 'Third', ...definition });
      assert.equal((await client.workflows.list({})).items[0]?.id, made.id);
      assert.equal(await kindOf(client.workflows.create({ ...definition })), 'invalid');
    });

    it('updates one and loses nothing of it', async () => {
      const id = await firstId();
      assert.equal((await client.workflows.update(id, { name: 'Renamed' })).name, 'Renamed');
      const { raw } = await client.workflows.get(id);
      assert.deepEqual([raw['nodes'], raw['extra']], [definition.nodes, { kept: true }]);
    });

    it('duplicates one and deletes it', async () => {
      const copy = await client.workflows.duplicate(await firstId(), undefined);
      assert.equal(copy.name, 'First (copy)');
      assert.deepEqual((await client.workflows.get(copy.id)).raw['nodes'], definition.nodes);
      await client.workflows.delete(copy.id);
      assert.equal(await kindOf(client.workflows.get(copy.id)), 'notFound');
    });

    it('deploys and undeploys, and refuses to execute in between', async () => {
      const id = await firstId();
      assert.equal(await kindOf(client.workflows.execute(id, {})), 'notDeployed');
      assert.equal((await client.workflows.deploy(id)).isDeployed, true);
      assert.equal((await client.workflows.undeploy(id)).isDeployed, false);
      assert.equal(await kindOf(client.workflows.execute(id, {})), 'notDeployed');
    });

    it('tells that a draft is no longer what is deployed, or says nothing of it', async () => {
      const id = await firstId();
      const said = async (answer: Promise<Workflow>) => {
        const { hasUndeployedChanges, deployedDefinition } = await answer;
        return [hasUndeployedChanges, deployedDefinition?.['nodes'] ?? null];
      };
      const tells = (changed: boolean) => (service.tells ? [changed, definition.nodes] : [null, null]);
      assert.deepEqual(await said(client.workflows.deploy(id)), tells(false));
      assert.deepEqual(await said(client.workflows.update(id, { nodes: [] })), tells(true));
      assert.deepEqual(await said(client.workflows.get(id)), tells(true));
      assert.deepEqual(await said(client.workflows.duplicate(id, 'Copy')), [false, null]);
      assert.deepEqual(await said(client.workflows.undeploy(id)), [false, null]);
    });

    it('tells the input of an execution', async () => {
      const { id } = await run();
      assert.deepEqual((await client.executions.getWithInput(id)).input, { n: 1 });
    });

    it('executes, and is followed to the end', async () => {
      const { id, workflowId } = await run();
      assert.equal(workflowId, await firstId());
      assert.deepEqual(await follow(id), ['open', 'began', 'ended', 'end completed']);
    });

    it('lists its executions, or those of one workflow and is not taken for a service without', async () => {
      const { id, workflowId } = await run();
      const ids = async (query: ExecutionQuery): Promise<readonly string[]> =>
        (await client.executions.list(query)).items.map((execution) => execution.id);
      if (service.listsByWorkflow) assert.equal(await kindOf(client.executions.list({})), 'notOffered');
      else assert.deepEqual(await ids({}), [id]);
      assert.deepEqual(await ids({ workflowId: workflowId ?? '' }), [id]);
      assert.ok(!client.notOffered.current.has('listExecutions'));
    });

    it('tells output, logs and times of what has ended', async () => {
      const { id, status } = await run();
      assert.equal(status.state, 'running');
      const ended = await client.executions.get(id);
      assert.deepEqual([ended.status.state, ended.durationMs], ['completed', 2000]);
      assert.deepEqual(await client.executions.output(id), {
        kind: 'ready',
        output: { echo: { n: 1 } },
        error: null,
      });
      const logs = (await client.executions.logs(id, {})).rows;
      assert.deepEqual(
        logs.map(({ message }) => message.replace(/^"\S+Z" /, '')),
        ['began', 'ended'],
      );
    });

    it('tells its portal events, or that it has none', async () => {
      await run();
      if (service.lacks?.includes('listPortalEvents')) {
        assert.equal(await kindOf(client.portalEvents.list({})), 'notOffered');
      } else {
        const { items } = await client.portalEvents.list({});
        assert.deepEqual(
          items.map(({ type }) => type),
          ['execution.triggered'],
        );
      }
      assert.deepEqual([...client.notOffered.current], service.lacks ?? []);
    });
  });
