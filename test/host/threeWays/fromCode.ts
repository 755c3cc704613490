// What code gets from each fixed command: plain JSON for a plain object, and no question.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { maskKey } from '../../../src/base/masking.ts';
import { stopDebugging } from '../callStack.ts';
import { untilUriInFront } from '../front.ts';
import { isAsking } from '../keyboard.ts';
import { until } from '../until.ts';
import { type FixedCommand, fixedCommands, idOf } from './fixedCommands.ts';
import { echo, failing, resting, type World } from './world.ts';

const Connected = v.object({ connectionId: v.string() });
const Identified = v.object({ workflowId: v.string() });
const Definition = v.custom<JsonObject>(isJsonObject);
const Uri = v.pipe(v.string(), v.startsWith('workflow-'));
const Time = v.pipe(v.string(), v.isoTimestamp());
const CreatedKey = v.object({
  id: v.string(),
  name: v.string(),
  key: v.pipe(v.string(), v.startsWith('svc_sk_')),
  preview: v.string(),
  createdAt: Time,
  expiresAt: v.nullable(Time),
});
const Executed = v.object({
  workflowId: v.string(),
  eventIds: v.pipe(v.array(v.string()), v.minLength(1)),
  status: v.literal('triggered'),
  executionId: v.string(),
});
const Found = v.array(
  v.object({ id: v.string(), found: v.array(v.object({ path: v.optional(v.string()) })) }),
);
const Events = v.array(v.strictObject({ id: v.string(), type: v.string(), timestamp: v.nullable(Time) }));

/** Ids that nothing has, by the command that must reject them. */
const unknown: Partial<Readonly<Record<FixedCommand, object>>> = {
  'connection.switch': { connectionId: 'none' },
  'connection.remove': { connectionId: 'none' },
  'connection.diagnose': { connectionId: 'none' },
  'workflow.delete': { workflowId: 'none' },
  'workflow.executeDraft': { workflowId: 'none', input: {} },
  'execution.open': { executionId: 'none' },
  'execution.openInput': { executionId: 'none' },
  'execution.openOutput': { executionId: 'none' },
  'execution.openTimeline': { executionId: 'none' },
  'execution.copyReport': { executionId: 'none' },
  'execution.rerun': { executionId: 'none' },
  'execution.search': { query: 'workflow:none' },
  'execution.cancel': { executionId: 'none' },
  'execution.retry': { executionId: 'none' },
  'execution.debug': { executionId: 'none' },
};

/** True when the service at this address takes the key; undefined when nothing answers. */
const takesKey = (baseUrl: string, key: string): Promise<boolean | undefined> =>
  fetch(`${baseUrl}/workflows`, { headers: { authorization: `Bearer ${key}` } }).then(
    ({ ok }) => ok,
    () => undefined,
  );

export function testFromCode(world: World): void {
  const called = new Set<FixedCommand>();

  /** Calls the command with a plain object and decodes what comes back. */
  async function call<T>(
    command: FixedCommand,
    schema: v.GenericSchema<unknown, T>,
    argument?: object,
  ): Promise<T> {
    called.add(command);
    const result: unknown = await vscode.commands.executeCommand(idOf(command), argument);
    if (result !== undefined) assert.deepEqual(result, parseJson(JSON.stringify(result)), command);
    assert.equal(await isAsking(), false, command);
    return v.parse(schema, result, { message: command });
  }

  it('the local service is started and stopped, and its keys are created and revoked', async () => {
    const { baseUrl } = await call(
      'localService.start',
      v.object({ connectionId: v.string(), baseUrl: v.string() }),
    );
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const { id: keyId, key } = await call('apiKey.create', CreatedKey, {
      name: 'By code',
      expiration: '90d',
    });
    assert.equal(await takesKey(baseUrl, key), true);
    await call('apiKey.revoke', v.object({ keyId: v.literal(keyId) }), { keyId });
    assert.equal(await takesKey(baseUrl, key), false);
    await call('localService.stop', v.unknown());
    assert.equal(await takesKey(baseUrl, key), undefined);
  });

  it('connections are added, diagnosed, given another key, switched and removed', async () => {
    const { baseUrl, key: apiKey } = world.service;
    const added = await call('connection.add', Connected, { name: 'By code', baseUrl, apiKey });
    const diagnose = () => call('connection.diagnose', v.string(), added);
    const report = await diagnose();
    assert.ok(report.includes(baseUrl) && !report.includes(apiKey), report);
    const other = world.service.createKey();
    assert.deepEqual(await call('connection.replaceKey', Connected, { ...added, apiKey: other }), added);
    assert.ok((await diagnose()).includes(maskKey(other, 'svc_sk_')));
    const main = { connectionId: await world.connect('Three ways') };
    assert.deepEqual(await call('connection.switch', Connected, added), added);
    assert.deepEqual(await call('connection.remove', Connected, added), added);
    assert.deepEqual(await call('connection.switch', Connected, main), main);
  });

  it('workflows are created, read, changed, executed and deleted', async () => {
    const definition = echo('By code');
    const created = await call('workflow.create', Identified, { definition });
    const { workflowId } = created;
    const Same = v.object({ workflowId: v.literal(workflowId) });
    assert.deepEqual(await call('workflow.export', Definition, created), definition);
    await call('workflow.rename', Same, { ...created, name: 'Renamed' });
    const copy = await call('workflow.duplicate', Identified, { ...created, name: 'Copied' });
    const imported = await call('workflow.import', Identified, { definition: echo('Imported') });
    const Listed = v.array(v.strictObject({ id: v.string(), name: v.string(), isDeployed: v.boolean() }));
    const listed = await call('workflow.list', Listed, {});
    const all = await world.workflows();
    assert.deepEqual(
      listed,
      all.map(({ id, name, isDeployed }) => ({ id, name, isDeployed })),
    );
    const idOfName = (name: string) => listed.find((each) => each.name === name)?.id;
    assert.deepEqual(['By code', 'Renamed', 'Copied', 'Imported'].map(idOfName), [
      undefined,
      workflowId,
      copy.workflowId,
      imported.workflowId,
    ]);
    for (const open of ['workflow.open', 'workflow.openInput'] as const)
      await untilUriInFront(await call(open, Uri, created));
    const isDeployed = { ...created, isDeployed: true };
    assert.deepEqual(await call('workflow.deploy', v.unknown(), created), isDeployed);
    const executed = await call('workflow.execute', Executed, { ...created, input: { by: 'code' } });
    assert.equal(executed.workflowId, workflowId);
    assert.deepEqual(await call('workflow.undeploy', v.unknown(), created), {
      ...isDeployed,
      isDeployed: false,
    });
    await call('workflow.executeDraft', Executed, { ...created, input: {} });
    await until(
      () => world.executionsOf('Renamed'),
      ({ length }) => length === 2,
    );
    await call('workflow.delete', Same, created);
    assert.equal(await world.workflow('Renamed'), undefined);
  });

  it('executions are listed, read, compared and repeated', async () => {
    const executionId = await world.executed(echo('Greeting by code'), { greeting: 'Hello' });
    const otherExecutionId = await world.executed(echo('Farewell by code'), { farewell: 'Goodbye' });
    const target = { executionId };
    for (const id of [executionId, otherExecutionId]) await world.untilStatus(id, 'completed');
    const [record] = await world.executionsOf('Greeting by code');
    assert.ok(record);
    const { workflowId } = record;
    assert.deepEqual(await call('execution.list', v.unknown(), { workflowId, status: 'completed' }), [
      { id: executionId, workflowId, status: 'completed' },
    ]);
    const [found] = await call('execution.search', Found, { query: 'status:completed hello', limit: 1 });
    assert.deepEqual([found?.id, found?.found[0]?.path], [executionId, 'greeting']);
    for (const [command, text] of [
      ['execution.open', '"completed"'],
      ['execution.openInput', '"Hello"'],
      ['execution.openOutput', '"Hello"'],
      ['execution.openTimeline', 'Result'],
    ] as const) {
      const document = await untilUriInFront(await call(command, Uri, target));
      await until(
        () => document.getText(),
        (shown) => shown.includes(text),
      );
    }
    await call('execution.compare', v.tuple([Uri, Uri]), { executionId, otherExecutionId });
    const report = await call('execution.copyReport', v.string(), target);
    assert.ok(report.startsWith('## ') && report.includes('"greeting": "Hello"'), report);
    await call('execution.debug', v.strictObject({}), target);
    await stopDebugging();
    await call('execution.rerun', Executed, target);
    await until(
      () => world.executionsOf('Greeting by code'),
      ({ length }) => length === 2,
    );
    const events = await call('portalEvents.list', Events, {});
    assert.ok(events.some(({ type }) => type === 'workflow.created'));
  });

  it('executions are followed, cancelled and retried', async () => {
    const executionId = await world.executed(resting('Asleep by code'), {});
    const Same = v.object({ executionId: v.literal(executionId) });
    await call('execution.showLogs', Same, { executionId });
    await call('execution.stopFollowing', Same, { executionId });
    await call('execution.cancel', v.object({ ...Same.entries, status: v.string() }), { executionId });
    await world.untilStatus(executionId, 'cancelled');
    const failed = { executionId: await world.executed(failing('Unlucky by code'), {}) };
    await world.untilStatus(failed.executionId, 'failed');
    const retried = await call('execution.retry', Executed, failed);
    assert.notEqual(retried.executionId, failed.executionId);
    await world.untilStatus(retried.executionId, 'failed');
  });

  it('each of the fixed commands was called', () =>
    assert.deepEqual(
      fixedCommands.filter((command) => !called.has(command)),
      [],
    ));

  it('what is not there is rejected, and nothing is asked', async () => {
    for (const command of fixedCommands) {
      const argument = unknown[command];
      if (argument === undefined) continue;
      await assert.rejects(async () => vscode.commands.executeCommand(idOf(command), argument), command);
      assert.equal(await isAsking(), false, command);
    }
  });
}
