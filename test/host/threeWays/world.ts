// The tables of commands are tried out on a service of their own, whose state is read past the extension.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, execute, run } from '../commands.ts';
import { type OwnService, startOwnService } from '../ownService.ts';
import { page } from '../page.ts';
import { untilRow } from '../keyboard.ts';

const Imported = v.object({ workflowId: v.string() });
const Workflows = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), isDeployed: v.boolean(), version: v.number() })),
});
const Executions = v.object({ data: v.array(v.object({ id: v.string(), workflowId: v.string() })) });

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

  /** The one execution of a workflow, which is made, deployed and executed when it is first asked for; its row is in sight. */
  async executed(definition: { readonly name: string }, input: object): Promise<string> {
    const [known] = await this.executionsOf(definition.name);
    if (known !== undefined) return known.id;
    const workflowId = await this.importWorkflow(definition);
    await this.deploy(workflowId);
    const { executionId } = await execute(workflowId, input);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await vscode.commands.executeCommand(`${views.executions}.focus`);
    await untilRow(views.executions, definition.name);
    return executionId ?? assert.fail('The service does not name the execution.');
  }

  /** The executions of the workflow with this name as the service has them. */
  async executionsOf(name: string) {
    const workflow = await this.workflow(name);
    return (await this.executions()).filter(({ workflowId }) => workflowId === workflow?.id);
  }

  /** Everything that a command which was stopped must leave as it was: on the service and on the screen. */
  async readAll(): Promise<unknown> {
    return {
      workflows: await this.workflows(),
      executions: (await this.executions()).map(({ id }) => id),
      connections: (await page.rows(views.connections)).map(({ label, icon }) => `${label} ${icon}`),
      tabs: vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label),
    };
  }

  async #read<T>(schema: v.GenericSchema<unknown, T>, path: string): Promise<T> {
    const { baseUrl, key } = this.service;
    const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return v.parse(schema, await response.json());
  }
}
