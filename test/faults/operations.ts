// What a person or the extension asks of a service, for each fault to hit.
import type { ServicePort } from '../../src/api/servicePort.ts';
import type { SettingsClient } from '../../src/api/settingsClient.ts';

interface Clients {
  readonly client: ServicePort;
  readonly settings: SettingsClient;
}

export interface FaultedOperation {
  readonly name: string;
  readonly run: (clients: Clients, signal: AbortSignal) => Promise<unknown>;
}

/** Interruptions after which nobody watches any more. */
const maximumLosses = 5;
const maximumItems = 2000;

/** Follows until the end, or until enough was seen. */
async function watch(items: AsyncIterable<{ readonly kind: string }>): Promise<void> {
  let losses = 0;
  let count = 0;
  for await (const { kind } of items) {
    count += 1;
    if (kind === 'lost' || kind === 'paused') losses += 1;
    if (losses >= maximumLosses || count >= maximumItems) return;
  }
}

const workflow = { name: 'N', nodes: [], edges: [] };

export const operations: readonly FaultedOperation[] = [
  { name: 'list workflows', run: ({ client }) => client.workflows.list({}) },
  { name: 'get a workflow', run: ({ client }) => client.workflows.get('wf_1') },
  { name: 'create', run: ({ client }) => client.workflows.create(workflow) },
  { name: 'update', run: ({ client }) => client.workflows.update('wf_1', { name: 'M' }) },
  { name: 'delete', run: ({ client }) => client.workflows.delete('wf_1') },
  { name: 'import', run: ({ client }) => client.workflows.import(workflow) },
  { name: 'duplicate', run: ({ client }) => client.workflows.duplicate('wf_1', undefined) },
  { name: 'deploy', run: ({ client }) => client.workflows.deploy('wf_1') },
  { name: 'undeploy', run: ({ client }) => client.workflows.undeploy('wf_1') },
  { name: 'execute', run: ({ client }) => client.workflows.execute('wf_1', { x: 1 }) },
  { name: 'cancel', run: ({ client }) => client.executions.cancel('exec_1') },
  { name: 'retry', run: ({ client }) => client.executions.retry('exec_1', {}) },
  { name: 'execute a draft', run: ({ client }) => client.workflows.executeDraft('wf_1', { only: 'n1' }) },
  { name: 'list executions', run: ({ client }) => client.executions.list({ workflowId: 'wf_1' }) },
  { name: 'get an execution', run: ({ client }) => client.executions.get('exec_1') },
  { name: 'get an output', run: ({ client }) => client.executions.output('exec_1') },
  { name: 'read a log', run: ({ client }) => client.executions.logs('exec_1', {}) },
  { name: 'follow', run: ({ client }, signal) => watch(client.executions.follow('exec_1', {}, signal)) },
  { name: 'list portal events', run: ({ client }) => client.portalEvents.list({}) },
  {
    name: 'stream portal events',
    run: ({ client }, signal) => watch(client.portalEvents.stream('evt_1', signal)),
  },
  { name: 'send a portal event', run: ({ client }) => client.portalEvents.send({ type: 'x' }) },
  { name: 'list keys', run: ({ settings }) => settings.listKeys() },
];
