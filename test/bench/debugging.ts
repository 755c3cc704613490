// What a debug session takes over 100,000 node runs, once their log is there.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Recording } from '../../src/features/debugging/recording.ts';
import { openRecording } from '../../src/features/debugging/openRecording.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../support/memory/records.ts';
import { connectBoth, createWorld } from '../support/memory/world.ts';
import { TestClient } from '../features/debugging/client.ts';
import { createEvaluator } from '../support/ranExecution.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const count = 100_000;
const steps = 200;
const status = statusOf('completed');
const definition = {
  name: 'Orders',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'each', type: 'forEach', config: { items: 'input.lines' } },
    { id: 'double', type: 'transform', config: { expression: 'item * 2' } },
    { id: 'end', type: 'output', config: { expression: 'nodes.each' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'double', branch: 'each' },
    { source: 'each', target: 'end', branch: 'done' },
  ],
};
const Progress = v.looseObject({ progressId: v.string() });

function rows() {
  const inLoop = Array.from({ length: count - 3 }, (_, index) =>
    makeNodeLog(index + 3, { nodeId: 'double', iteration: [index], status, input: index, output: 2 * index }),
  );
  return [
    makeNodeLog(1, { nodeId: 'start', nodeType: 'trigger', status, output: { lines: [] } }),
    makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status }),
    ...inLoop,
    makeNodeLog(count, { nodeId: 'end', nodeType: 'output', status }),
  ];
}

function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  v.parse(v.function(), runInNewContext('gc'))();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function timesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) times.push(await timed(work));
  return times;
}

const text = JSON.stringify(definition, null, 2);
const document = {
  uri: vscode.Uri.parse('workflow:/Orders.workflow.json'),
  version: 1,
  getText: () => text,
};

/** With the log of the execution in memory. */
async function createSession() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  const workflow = makeWorkflow('w', { name: 'Orders' });
  world.first.workflows = [workflow];
  world.first.executions = [makeExecution('e', { workflowId: 'w', status, input: { lines: [] } })];
  world.first.logs.set('e', rows());
  await world.workflows.refresh();
  const target = { connectionId, executionId: 'e' };
  await world.executions.get(target);
  const kept = world.executions.keepLogs(target);
  const { signal } = new AbortController();
  await world.following.readLog(target, signal);
  const evaluator = createEvaluator();
  const deps = {
    ...world,
    evaluator,
    read: () => Promise.resolve(document),
    openRan: () => Promise.resolve(document),
  };
  const recording = () => openRecording(deps, target, signal);
  return { evaluator, recording, kept };
}

async function launched(recording: Recording): Promise<TestClient> {
  const client = new TestClient(recording);
  await client.launch();
  return client;
}

export const debugging: Benchmark = {
  name: `A debug session over ${count} node runs`,
  async measure() {
    const { evaluator, recording, kept } = await createSession();
    // The first session also makes the tree of the runs, which the views share.
    const start = await timed(async () => {
      const first = await recording();
      const { session } = await launched(first);
      session.dispose();
      first.dispose();
    });
    const before = heapMegabytes();
    const opened = await recording();
    const client = await launched(opened);
    const into = await timesOf(() => client.go('stepIn'));
    const back = await timesOf(() => client.go('stepBack'));
    await client.go('stepIn');
    const pastLoop = await timed(() => client.go('next'));
    await client.breakAt(
      document
        .getText()
        .split('\n')
        .findIndex((line) => line.includes('double')) + 1,
      {
        condition: 'index = -1',
      },
    );
    const started = client.next('progressStart');
    const stopped = client.next('stopped');
    const untilProgress = await timed(async () => {
      await client.ask('reverseContinue');
      await started;
    });
    const { progressId } = v.parse(Progress, await started);
    const untilCancelled = await timed(async () => {
      await client.ask('cancel', { progressId });
      await stopped;
    });
    const whole = await timed(() => client.go('reverseContinue'));
    const grown = heapMegabytes() - before;
    client.session.dispose();
    opened.dispose();
    kept.dispose();
    evaluator.dispose();
    const milliseconds = (name: string, values: readonly number[], aim?: string): Figure => ({
      name,
      values,
      unit: 'ms',
      ...(aim === undefined ? {} : { aim }),
    });
    return [
      milliseconds('start', [start], 'at most 1,000 ms'),
      milliseconds('a step', into, 'at most 50 ms'),
      milliseconds('a step back', back, 'at most 50 ms'),
      milliseconds('a step past the loop', [pastLoop], 'at most 50 ms'),
      milliseconds('reverse continue, until it shows progress', [untilProgress]),
      milliseconds('cancelled', [untilCancelled]),
      milliseconds('reverse continue, whole, with a condition', [whole]),
      { name: 'memory grown', values: [grown], unit: 'MB', aim: 'at most 64' },
    ];
  },
};
