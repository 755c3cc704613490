// The recorded n8n, for the scenarios: it does what their workflows do.
import type { JsonObject } from '../../src/base/json.ts';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import type { RecordedExecution } from '../support/n8n/state.ts';
import { createN8nWorld, turnOf } from '../support/n8n/world.ts';
import { n8nDefinition } from './n8nDefinitions.ts';
import type { Subject } from './subject.ts';

export async function openRecordedN8n(version: 1 | 2 = 2): Promise<Subject> {
  const world = await createN8nWorld();
  const { n8n, client, clock, connect } = world;
  n8n.version = version;
  playScenarios(n8n);
  return {
    client,
    clock,
    connectWithout: () => connect({ key: 'unknown' }),
    definitionOf: n8nDefinition,
    close: () => world.dispose(),
  };
}

/** What becomes of the executions of their workflows: the last node does what its type does. */
export function playScenarios(n8n: RecordedN8n): void {
  n8n.play = ({ id, workflowId, startedAt, turns }: RecordedExecution): void => {
    const { name, type } = n8n.workflows.get(workflowId)?.nodes.at(-1) ?? {};
    if (typeof name !== 'string') return;
    const from = { previousNode: 'Input' };
    const beganAt = Date.parse(startedAt) + 10;
    if (type === 'n8n-nodes-base.set') {
      n8n.ran(id, name, turnOf(beganAt, 1, [{ reply: messageOf(turns[0]?.turn) }], from));
      n8n.end(id, 'success');
    }
    if (type === 'n8n-nodes-base.stopAndError') {
      const error = { message: 'No stock.' };
      n8n.ran(id, name, {
        startTime: beganAt,
        executionIndex: 1,
        executionTime: 1,
        executionStatus: 'error',
        source: [from],
        error,
      });
      n8n.end(id, 'error', error);
    }
  };
}

/** Of the trigger's turn; null for a retry, which has none. */
function messageOf(trigger: JsonObject | undefined): string | null {
  return /"message":"(\w+)"/.exec(JSON.stringify(trigger ?? null))?.[1] ?? null;
}
