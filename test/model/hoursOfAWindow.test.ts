// A window stays open all day: hours of following and polling leave nothing behind that grows.
import assert from 'node:assert/strict';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import type { HttpPort } from '../../src/api/http/httpPort.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/event.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Batches } from '../../src/features/executions/notices/register.ts';
import { StartedHere } from '../../src/features/executions/notices/startedHere.ts';
import { AutoRefresh } from '../../src/model/autoRefresh.ts';
import { Clients } from '../../src/model/connections/clients.ts';
import { Connections } from '../../src/model/connections/connections.ts';
import { ExecutionEvents } from '../../src/model/executions/executionEvents.ts';
import { Executions } from '../../src/model/executions/executions.ts';
import { Following } from '../../src/model/executions/following.ts';
import { FreshExecutions } from '../../src/model/executions/freshExecutions.ts';
import { ShownExecutionSource } from '../../src/model/selection/shownExecution.ts';
import { Selection } from '../../src/model/selection/selection.ts';
import { InputDrafts } from '../../src/model/inputs/inputDrafts.ts';
import { InputHistory, rememberInput } from '../../src/model/inputs/inputHistory.ts';
import type { ClientFactory } from '../../src/model/ports.ts';
import { PortalEvents } from '../../src/model/portalEvents/portalEvents.ts';
import { WorkflowActions } from '../../src/model/workflows/workflowActions.ts';
import { Workflows } from '../../src/model/workflows/workflows.ts';
import { createRowStore } from '../support/memory/logs.ts';
import { createAppPort } from '../support/appPort.ts';
import { HandClock, MemoryRecords, MemorySecrets, MemoryState, settle } from '../support/memory/ports.ts';
import { createTestService, type TestService } from '../support/service.ts';

const second = 1000;
const atOnce = 4;
const minute = 60 * second;
const requestsPerMinute = 100_000;
const keyPrefix = (): string => 'svc_sk_';

const definition = {
  name: 'Echo',
  nodes: [
    { id: 'start', type: 'trigger', name: 'Start', config: {} },
    { id: 'answer', type: 'output', name: 'Answer', config: { expression: 'input' } },
  ],
  edges: [{ source: 'start', target: 'answer' }],
};

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Measures what the process holds after everything that can go is gone. */
async function measure(clock: HandClock) {
  assert.ok(typeof collectGarbage === 'function');
  // What one round finalizes goes with the next.
  for (let round = 0; round < 3; round += 1) {
    Reflect.apply(collectGarbage, undefined, []);
    await settle();
  }
  const count = (of: new (...values: never[]) => object): number => queryObjects(of, { format: 'count' });
  return {
    heapBytes: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().length,
    timers: clock.armed,
    emitters: count(Emitter),
    owners: count(DisposableStore),
    signals: count(AbortSignal),
    responses: count(Response),
    streams: count(ReadableStream),
  };
}

/** The service as a port that says when nothing is under way, and that may have no streams. */
function createPort({ app }: TestService, hasStreams: boolean) {
  const inner = createAppPort(app);
  let underWay = 0;
  const http: HttpPort = async (url, request) => {
    if (!hasStreams && request.headers['Accept'] === 'text/event-stream') {
      const response = Response.json({ error: { code: 'not_acceptable' } }, { status: 406 });
      const { status, statusText, headers } = response;
      return { status, statusText, headers, body: null };
    }
    underWay += 1;
    try {
      return await inner(url, request);
    } finally {
      underWay -= 1;
    }
  };
  const quiet = async (): Promise<void> => {
    do await settle();
    while (underWay > 0);
    await settle();
  };
  return { http, quiet };
}

/** A window with its views in sight, built as the extension builds it. */
async function openWindow(service: TestService, hasStreams: boolean) {
  const clock = new HandClock();
  const owned = new DisposableStore();
  const { http, quiet } = createPort(service, hasStreams);
  const budgets = new Budgets({ clock, requestsPerMinute });
  const create: ClientFactory = ({ baseUrl }, key, owner) =>
    createClient({
      owner,
      http: () => Promise.resolve(http),
      baseUrl,
      key,
      keyPrefix,
      budgets,
      logger: silentLogger,
      clock,
      random: () => 0.5,
    });
  const globalState = new MemoryState();
  const connections = owned.add(
    new Connections({
      records: new MemoryRecords(),
      workspaceState: new MemoryState(),
      secrets: new MemorySecrets(),
      createClient: create,
      clock,
      keyPrefix,
      createId: () => 'local',
    }),
  );
  const clients = owned.add(new Clients(connections, create));
  const workflows = owned.add(new Workflows(connections, clients, clock));
  const executions = owned.add(new Executions(connections, clients, clock, createRowStore()));
  const following = owned.add(
    new Following({ connections, clients, executions, clock, logger: silentLogger }),
  );
  const actions = new WorkflowActions({ clients, workflows, executions, clock });
  const drafts = new InputDrafts(globalState, keyPrefix);
  const history = owned.add(new InputHistory(globalState, clock, keyPrefix));
  const portalEvents = owned.add(
    new PortalEvents({ connections, clients, globalState, clock, logger: silentLogger }),
  );
  const startedHere = owned.add(new StartedHere(actions));
  let told = 0;
  const batches = owned.add(new Batches<string>(clock, (ids) => (told += ids.length)));
  owned.add(
    following.onDidChange(({ target, state }) => {
      const execution = executions.find(target);
      if (state.current.kind !== 'ended' || execution === undefined) return;
      if (startedHere.take(target, execution)) batches.add(execution.id);
    }),
  );
  const { id: connectionId } = await connections.add(
    { name: 'Local', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: service.key },
    { verify: 'never' },
  );
  const { id: workflowId } = await actions.import(connectionId, definition);
  const target = { connectionId, workflowId };
  await actions.deploy(target);
  owned.add(
    new ShownExecutionSource(
      {
        executions,
        selection: owned.add(new Selection()),
        following,
        clock,
        logger: silentLogger,
      },
      target,
      'definition',
    ),
  );
  const inSight = { isVisible: true, isFocused: true };
  const scopes = [target, { connectionId, workflowId: null }];
  const auto = owned.add(
    new AutoRefresh({
      clock,
      logger: silentLogger,
      refresh: (signal) => workflows.refresh(signal, 'workflows'),
    }),
  );
  auto.add(() => null).setAttention(inSight);
  const events = owned.add(new ExecutionEvents({ connections, clients, portalEvents, logger: silentLogger }));
  const fresh = owned.add(
    new FreshExecutions({ executions, following, events, clock, logger: silentLogger }),
  );
  const seen = owned.add(fresh.add(() => ({ connectionId, showsLatest: true, lists: scopes, unfolded: [] })));
  seen.setAttention(inSight);
  portalEvents.setListenMode('always');
  portalEvents.setAttention(inSight);

  const execute = async (): Promise<void> => {
    const input = { at: clock.now() };
    const { executionIds } = await actions.execute(target, input);
    await rememberInput({ drafts, history, logger: silentLogger }, target, input);
    for (const executionId of executionIds) following.follow({ connectionId, executionId });
  };
  const ended = async (): Promise<void> => {
    while (following.current.length > 0) {
      await clock.advance(second);
      await quiet();
    }
  };
  return {
    clock,
    quiet,
    execute,
    ended,
    portalEvents,
    told: () => told,
    dispose: () => owned.dispose(),
  };
}

type Window = Awaited<ReturnType<typeof openWindow>>;

/** The view comes in and out of sight, and every so many minutes something is executed and followed to its end. */
async function live(
  { clock, quiet, execute, ended, portalEvents }: Window,
  hours: number,
  executeEvery: number,
): Promise<void> {
  for (let at = 0; at < hours * 60; at += 1) {
    portalEvents.setAttention({ isVisible: at % 20 < 15, isFocused: true });
    if (at % executeEvery === 0) for (let count = 0; count < atOnce; count += 1) await execute();
    for (let steps = 0; steps < 3; steps += 1) {
      await clock.advance(minute / 3);
      await quiet();
    }
  }
  await ended();
  portalEvents.setAttention({ isVisible: true, isFocused: true });
  // The last notice is told, and what was opened last is open for as long as before.
  await clock.advance(2 * minute + 500);
  await quiet();
}

describe('hours of a window', function () {
  this.timeout(300_000);
  for (const hasStreams of [true, false])
    it(`leave nothing behind where the service has ${hasStreams ? 'streams, which are cut' : 'no streams'}`, async () => {
      const service = await createTestService({ requestsPerMinute });
      const window = await openWindow(service, hasStreams);
      // As much as is kept at all is there after one hour: 200 follows and 100 feeds.
      await live(window, 1, 1);
      const early = await measure(window.clock);
      await live(window, 1, 6);
      const late = await measure(window.clock);
      assert.equal(window.told(), atOnce * (60 + 10));
      const { heapBytes, ...counts } = late;
      for (const [name, count] of Object.entries(counts)) {
        const before = Object.entries(early).find(([each]) => each === name)?.[1] ?? 0;
        assert.ok(count <= before + 20, `${name}: ${before} → ${count}`);
      }
      assert.ok(heapBytes < early.heapBytes + 3 * 1024 * 1024, `${early.heapBytes} → ${heapBytes}`);
      window.dispose();
      await window.quiet();
      assert.equal(window.clock.armed, 0);
      await service.dispose();
    });
});
