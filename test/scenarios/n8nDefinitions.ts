// The workflows of the scenarios as documents of n8n.
import type { JsonObject } from '../../src/base/json.ts';
import type { Behavior } from './subject.ts';

const lastNodes = {
  answers: {
    name: 'Answer',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parameters: {
      assignments: {
        assignments: [{ id: 'reply', name: 'reply', type: 'string', value: '={{ $json.body.message }}' }],
      },
    },
  },
  fails: {
    name: 'Stop',
    type: 'n8n-nodes-base.stopAndError',
    typeVersion: 1,
    parameters: { errorMessage: 'No stock.' },
  },
  waits: {
    name: 'Rest',
    type: 'n8n-nodes-base.wait',
    typeVersion: 1.1,
    parameters: { amount: 60, unit: 'seconds' },
  },
} as const satisfies Record<Behavior, { readonly name: string } & JsonObject>;

export function n8nDefinition(behavior: Behavior, name: string): JsonObject {
  const id = crypto.randomUUID();
  const last = lastNodes[behavior];
  return {
    name,
    nodes: [
      {
        id: crypto.randomUUID(),
        name: 'Input',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        position: [0, 0],
        webhookId: id,
        parameters: { path: id, httpMethod: 'POST', responseMode: 'onReceived' },
      },
      { id: crypto.randomUUID(), position: [220, 0], ...last },
    ],
    connections: { Input: { main: [[{ node: last.name, type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  };
}
