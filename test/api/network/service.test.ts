// The client and the service, each written against the contract, must understand each other: with no socket and over one.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import type { HttpPort } from '../../../src/api/http/httpPort.ts';
import { SettingsClient } from '../../../src/api/settingsClient.ts';
import { limits } from '../../../src/protocol/operations.ts';
import { listen } from '../../../src/service/process/listen.ts';
import { chain, openStream } from '../../service/calls.ts';
import { createAppPort } from '../../support/appPort.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import type { FollowItem, ServicePort } from '../../../src/api/servicePort.ts';

const definition = chain(
  ['start', 'trigger'],
  ['sum', 'transform', { expression: 'input.a + input.b' }],
  ['answer', 'output', { expression: '{ "sum": nodes.sum }' }],
);

interface Line {
  readonly http: HttpPort;
  readonly origin: string;
  close(): Promise<void>;
}

const lines: readonly (readonly [string, (service: TestService) => Promise<Line>])[] = [
  [
    'with no socket',
    ({ app }) =>
      Promise.resolve({
        http: createAppPort(app),
        origin: 'http://127.0.0.1:4100',
        close: () => Promise.resolve(),
      }),
  ],
  [
    'over a socket',
    async ({ app }) => {
      const listener = await listen(app, 0);
      const http = createHttpPort({ environment: {} });
      return {
        http,
        origin: `http://127.0.0.1:${listener.port}`,
        async close() {
          http.dispose();
          await listener.close();
        },
      };
    },
  ],
];

for (const [title, open] of lines)
  describe(`client and service, ${title}`, () => {
    let service: TestService;
    let line: Line;
    let key: string | undefined;
    let client: ServicePort;
    let settings: SettingsClient;

    before(async () => {
      service = await createTestService({ requestsPerMinute: 1000 });
      line = await open(service);
    });
    beforeEach(() => {
      key = service.key;
      const http = (): Promise<HttpPort> => Promise.resolve(line.http);
      client = createClient({
        http,
        baseUrl: `${line.origin}/v1`,
        key: () => Promise.resolve(key),
        keyPrefix: () => 'svc_sk_',
        budgets: new Budgets({ clock: systemClock }),
        logger: silentLogger,
      });
      settings = new SettingsClient({ http, origin: line.origin, sessionToken: service.sessionToken });
    });
    afterEach(() => {
      client.dispose();
      settings.dispose();
    });
    after(async () => {
      await line.close();
      await service.dispose();
    });

    const deployed = async (): Promise<string> => {
      const { id } = await client.workflows.create(definition);
      await client.workflows.deploy(id);
      return id;
    };

    it('creates, reads, changes, duplicates, imports, lists and deletes workflows', async () => {
      const { workflows } = client;
      const made = await workflows.create({ ...definition, name: 'Æther' });
      assert.deepEqual([made.name, made.isDeployed, made.hasDefinition], ['Æther', false, true]);
      assert.deepEqual((await workflows.get(made.id)).raw['nodes'], definition['nodes']);
      assert.equal((await workflows.update(made.id, { name: 'Renamed' })).name, 'Renamed');
      const copy = await workflows.duplicate(made.id, undefined);
      assert.equal(copy.name, 'Renamed (copy)');
      const imported = await workflows.import(definition);
      const first = await workflows.list({ limit: 2 });
      assert.equal(first.items[0]?.id, imported.id);
      const rest = await workflows.list({
        limit: 2,
        cursor: first.nextCursor ?? assert.fail('No second page.'),
      });
      assert.deepEqual(rest.items[0]?.id, made.id);
      await workflows.delete(copy.id);
      assert.equal(await kindOf(workflows.get(copy.id)), 'notFound');
      assert.equal(await kindOf(workflows.delete(copy.id)), 'notFound');
    });

    it('tells a conflict and an invalid definition', async () => {
      const { id } = await client.workflows.create(definition);
      assert.equal(await kindOf(client.workflows.update(id, { name: 'x', version: 'old' })), 'conflict');
      const reason = await reasonOf(client.workflows.create({ name: '', nodes: 'none' }));
      assert.ok(reason.kind === 'invalid' && reason.details.length > 0);
    });

    it('deploys, executes, follows to the end, and reads output, logs and the record', async () => {
      const workflowId = await deployed();
      const trigger = await client.workflows.execute(workflowId, { a: 2, b: 3 });
      assert.equal(trigger.status, 'triggered');
      assert.equal(trigger.eventIds.length, 1);
      const executionId = trigger.executionIds[0] ?? assert.fail('No execution was named.');
      const items: FollowItem[] = [];
      const { signal } = new AbortController();
      for await (const item of client.executions.follow(executionId, {}, signal)) items.push(item);
      const logs = (await client.executions.logs(executionId, {})).rows;
      assert.deepEqual(items[0], { kind: 'open', by: 'stream' });
      assert.deepEqual(
        items.flatMap((item) => (item.kind === 'logs' ? item.logs : [])),
        logs,
      );
      assert.equal(items.at(-1)?.kind, 'end');
      assert.deepEqual(
        logs.map(({ sequence }) => sequence),
        logs.map((_row, index) => index + 1),
      );
      assert.deepEqual(
        (await client.executions.logs(executionId, { after: logs.length - 1 })).rows,
        logs.slice(-1),
      );
      assert.deepEqual(await client.executions.output(executionId), {
        kind: 'ready',
        output: { sum: 5 },
        error: null,
      });
      const record = await client.executions.get(executionId);
      assert.deepEqual([record.status.state, record.workflowId], ['completed', workflowId]);
      const found = await client.executions.list({ workflowId, eventId: trigger.eventIds[0] ?? '' });
      assert.deepEqual(
        found.items.map(({ id }) => id),
        [executionId],
      );
    });

    it('tells that a workflow is not deployed', async () => {
      const { id } = await client.workflows.create(definition);
      assert.equal(await kindOf(client.workflows.execute(id, {})), 'notDeployed');
      assert.equal((await client.workflows.undeploy(id)).isDeployed, false);
    });

    it('sends and reads portal events', async () => {
      const [id] = await client.portalEvents.send({ type: 'portal.hello', data: { a: 1 } });
      const { items } = await client.portalEvents.list({ type: 'portal.hello' });
      assert.deepEqual(
        items.map((event) => [event.id, event.type]),
        [[id, 'portal.hello']],
      );
    });

    it('creates a key that works until it is revoked', async () => {
      const created = await settings.createKey('CI', '30d');
      assert.ok(created.key.startsWith('svc_sk_') && !created.preview.includes(created.key));
      key = created.key;
      await client.workflows.list({});
      assert.ok((await settings.listKeys()).some(({ id }) => id === created.id));
      await settings.revokeKey(created.id);
      assert.equal(await kindOf(client.workflows.list({})), 'keyRejected');
      key = 'svc_sk_unknown';
      assert.equal(await kindOf(client.workflows.list({})), 'keyRejected');
    });

    it('keeps the settings from who has no session', async () => {
      const stranger = new SettingsClient({
        http: () => Promise.resolve(line.http),
        origin: line.origin,
        sessionToken: 'wrong',
      });
      await assert.rejects(stranger.listKeys());
      stranger.dispose();
    });

    it('adopts the limit that the service tells', async () => {
      await client.workflows.list({});
      const { limit, remaining } = client.budget.current;
      assert.equal(limit, 1000);
      assert.ok(remaining < 1000 && remaining > 800);
    });

    it('follows without a stream, and pauses nothing, where the key has as many streams as it may', async () => {
      const id = await deployed();
      const open = await Promise.all(
        Array.from({ length: limits.streamsPerKey }, () => openStream(service, '/v1/portal/events')),
      );
      const { executionIds } = await client.workflows.execute(id, { a: 1, b: 1 });
      const executionId = executionIds[0] ?? assert.fail('No execution was named.');
      const items: FollowItem['kind'][] = [];
      let by = '';
      for await (const item of client.executions.follow(executionId, {}, new AbortController().signal)) {
        items.push(item.kind);
        if (item.kind === 'open') by = item.by;
      }
      assert.deepEqual([by, items[0], items.at(-1)], ['polling', 'open', 'end']);
      assert.equal(client.budget.current.pausedUntil, null);
      for (const { body } of open) await body?.cancel();
    });
  });
