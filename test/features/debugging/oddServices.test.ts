// Debugging on services that chose otherwise, which only reads: what one of them lacks is said in a sentence.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import type { WorkflowTarget } from '../../../src/domain/targets.ts';
import { openRecording } from '../../../src/features/debugging/openRecording.ts';
import { oddServices } from '../../api/odd/oddServices.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { createOddClient, runOdd } from '../../support/odd/oddClient.ts';
import { definition } from '../../support/odd/oddWorld.ts';
import { createEvaluator } from '../../support/ranExecution.ts';
import { HeldClient } from './heldClient.ts';

const { signal } = new AbortController();
const text = JSON.stringify({ name: 'First', ...definition }, null, 2);
const document = {
  uri: vscode.Uri.parse('workflow:/Orders.workflow.json'),
  version: 1,
  getText: () => text,
};

/** Their logs are texts, which name no nodes. */
const withoutNodes = [
  'with logs as text and outputs by their node in the records of the list only',
  'with logs as plain text',
];

describe('debugging on a service', () => {
  const evaluator = createEvaluator();
  let world: World;
  let port: ServicePort;
  after(() => evaluator.dispose());
  afterEach(() => {
    world.following.dispose();
    port.dispose();
  });

  for (const service of oddServices)
    it(`${service.title} works, or says what is missing, and only reads`, async () => {
      const requests: string[] = [];
      port = createOddClient(service, (method) => requests.push(method));
      world = createWorld({ createClient: () => port, clock: new HandClock() });
      const [connectionId] = await connectBoth(world);
      const { id: executionId } = await runOdd(port, service.linksNoEvents);
      await port.executions.get(executionId);
      requests.length = 0;
      const target = { connectionId, executionId };
      const deps = {
        ...world,
        evaluator,
        read: async (workflow: WorkflowTarget) => {
          await world.workflows.read(workflow);
          return document;
        },
        openRan: () => Promise.resolve(document),
      };
      const recording = await openRecording(deps, target, signal);
      const client = new HeldClient(recording);
      const ended = client.next('terminated');
      const isStopped = await Promise.race([client.launch().then(() => true), ended.then(() => false)]);
      if (isStopped) await lookAround(client);
      else assert.deepEqual(client.printed, ['The service recorded no node runs for this execution.']);
      await ended;
      assert.equal(isStopped, !withoutNodes.includes(service.title));
      assert.ok(requests.length > 0);
      assert.deepEqual([...new Set(requests)], ['GET']);
      client.session.dispose();
      recording.dispose();
    });
});

/** Steps to and fro, reads what is recorded, and goes on to the end. */
async function lookAround(client: HeldClient): Promise<void> {
  assert.equal(client.current.run.nodeId, 'a');
  await client.go('next');
  await client.go('stepBack');
  await client.go('reverseContinue');
  const rows = await client.rows('Node run');
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['state', 'duration', 'attempt', 'input', 'output'],
  );
  const shown = rows.slice(3).map(({ value }) => value);
  for (const value of shown) assert.match(value, /^(\{.*\}|null|not reported by the service)$/);
  const evaluated = await client.evaluate('input.n').catch(String);
  assert.match(evaluated, /^(1|Error: .*\.)$/);
  await client.ask('continue');
}
