// An execution in a debug session, without an editor.
import * as vscode from 'vscode';
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { Execution } from '../../src/domain/execution.ts';
import type { WorkflowTarget } from '../../src/domain/targets.ts';
import { openRecording } from '../../src/features/debugging/openRecording.ts';
import { renderDefinition, toDefinition } from '../../src/model/workflows/workflowDefinition.ts';
import { HeldClient } from '../features/debugging/heldClient.ts';
import { createEvaluator } from '../support/ranExecution.ts';
import { HandClock } from '../support/memory/ports.ts';
import { connectBoth, createWorld } from '../support/memory/world.ts';

/** What is seen of a failed execution: its stops from the failure back, the frames there, and what an expression gives. */
export async function stepThrough(client: ServicePort, execution: Execution, expression: string) {
  const world = createWorld({ createClient: () => client, clock: new HandClock() });
  const [connectionId] = await connectBoth(world);
  const uri = vscode.Uri.parse('workflow:/Orders.workflow.json');
  let text = '';
  const read = async (target: WorkflowTarget) => {
    const workflow = await world.workflows.read(target);
    text = renderDefinition(toDefinition(workflow));
    return { uri, version: 1, getText: () => text };
  };
  const evaluator = createEvaluator();
  const openRan = () => Promise.reject(new Error('The definition has not changed.'));
  const deps = { ...world, evaluator, read, openRan };
  const target = { connectionId, executionId: execution.id };
  const recording = await openRecording(deps, target, new AbortController().signal);
  const session = new HeldClient(recording, 'failure');
  await session.launch();
  await session.go('stepBack');
  const seen = {
    stops: session.stops.map(({ run }) => run.nodeName),
    lines: (await session.frames()).map(({ name, line }) => [name, text.split('\n')[line - 1]?.trim()]),
    value: await session.evaluate(expression),
  };
  session.session.dispose();
  recording.dispose();
  evaluator.dispose();
  world.following.dispose();
  return seen;
}
