// The commands are tried out on a service of their own, whose state is read past the extension.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, execute, run } from '../commands.ts';
import { type OwnService, startOwnService } from '../ownService.ts';
import { untilRow } from '../keyboard.ts';
import { until } from '../until.ts';

const Imported = v.object({ workflowId: v.string() });
const Workflows = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), isDeployed: v.boolean(), version: v.number() })),
});
const Executions = v.object({
  data: v.array(v.object({ id: v.string(), workflowId: v.string(), status: v.string() })),
});

export const views = {
  workflows: 'workflowAutomation.workflows',
  executions: 'workflowAutomation.executions',
  portalEvents: 'workflowAutomation.portalEvents',
  connections: 'workflowAutomation.connections',
} as const;

/** Gives back its input. */
export const echo = (name: string) => ({
  name,
  description: null,
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'result', name: 'Result', type: 'output', config: { expression: 'input' } },
  ],
  edges: [{ source: 'start', target: 'result' }],
  settings: {},
});

/** Fails at its second node. */
export const failing = (name: string) => ({
  name,
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'fail', name: 'Fail', type: 'output', config: { expression: '$error("No such luck")' } },
  ],
  edges: [{ source: 'start', target: 'fail' }],
});

/** Says good night, then rests for longer than any test lasts. */
export const resting = (name: string) => ({
  name,
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Good night' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 600_000 } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
  ],
});

/** A service with the samples and a limit that no test meets, and what it keeps. */
export class World {
  #service: OwnService | undefined;

  get service(): OwnService {
    return this.#service ?? assert.fail('The service was not started.');
  }

  async start(): Promise<void> {
    this.#service = await startOwnService('--samples', '--requests-per-minute', '100000');
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  /** Makes a workflow that gives back its input, and waits for its row. */
  async imported(name: string): Promise<string> {
    const workflowId = await this.importWorkflow(echo(name));
    await untilRow(views.workflows, name);
    return workflowId;
  }

  /** Connects to it under this name, which makes the connection the active one. */
  async connect(name: string): Promise<string> {
    return connect(name, this.service);
  }

  async importWorkflow(definition: object): Promise<string> {
    return (await run(Imported, 'workflow.import', { definition })).workflowId;
  }

  async deploy(workflowId: string): Promise<void> {
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
  }

  async workflows() {
    return (await this.#read(Workflows, '/workflows?limit=100')).data;
  }

  async executions() {
    return (await this.#read(Executions, '/executions?limit=100')).data;
  }

  /** The workflow with this name as the service has it. */
  async workflow(name: string) {
    return (await this.workflows()).find((workflow) => workflow.name === name);
  }

  /** An execution of a new workflow. */
  async executed(definition: { readonly name: string }, input: object): Promise<string> {
    const workflowId = await this.importWorkflow(definition);
    await this.deploy(workflowId);
    const { executionId } = await execute(workflowId, input);
    return executionId ?? assert.fail('The service does not name the execution.');
  }

  /** The executions of the workflow with this name as the service has them. */
  async executionsOf(name: string) {
    const workflow = await this.workflow(name);
    return (await this.executions()).filter(({ workflowId }) => workflowId === workflow?.id);
  }

  /** Waits until one has this status. */
  async untilStatus(executionId: string, status: string): Promise<void> {
    await until(
      async () => (await this.executions()).find(({ id }) => id === executionId)?.status,
      (now) => now === status,
    );
  }

  /** Everything that a command which was stopped must leave as it was: on the service and on the screen. */
  async readAll(): Promise<unknown> {
    return {
      workflows: await this.workflows(),
      executions: (await this.executions()).map(({ id }) => id),
      tabs: vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label),
    };
  }

  async #read<T>(schema: v.GenericSchema<unknown, T>, path: string): Promise<T> {
    const { baseUrl, key } = this.service;
    const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return v.parse(schema, await response.json());
  }
}
