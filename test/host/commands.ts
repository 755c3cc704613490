// Host tests call the commands as somebody's code would, and decode what comes back.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId, type CommandName } from '../../src/editor/commands/names.ts';
import { soon } from './soon.ts';

export async function run<T>(
  schema: v.GenericSchema<unknown, T>,
  name: CommandName,
  argument?: object,
): Promise<T> {
  return v.parse(schema, await vscode.commands.executeCommand(commandId(name), argument));
}

/** Runs a command for which a person waits. */
const runSoon = <T>(schema: v.GenericSchema<unknown, T>, name: CommandName, argument?: object): Promise<T> =>
  soon(name, () => run(schema, name, argument));

const Connection = v.object({ connectionId: v.string() });
const WorkflowList = v.array(
  v.object({ id: v.string(), name: v.string(), isDeployed: v.nullable(v.boolean()) }),
);
const ExecutionList = v.array(
  v.object({ id: v.string(), workflowId: v.nullable(v.string()), status: v.string() }),
);
const Started = v.object({ connectionId: v.string(), baseUrl: v.string() });
const Triggered = v.object({
  workflowId: v.string(),
  eventIds: v.array(v.string()),
  status: v.string(),
  executionId: v.optional(v.string()),
});

export const listWorkflows = () => runSoon(WorkflowList, 'workflow.list', {});
export const listExecutions = (query: { workflowId?: string; status?: string; limit?: number } = {}) =>
  runSoon(ExecutionList, 'execution.list', query);
export const startLocalService = () => runSoon(Started, 'localService.start');
export const execute = (workflowId: string, input: object) =>
  runSoon(Triggered, 'workflow.execute', { workflowId, input });

/** Connects to a service under a name, which makes the connection the active one; returns its id. */
export async function connect(
  name: string,
  { baseUrl, key: apiKey }: { readonly baseUrl: string; readonly key: string },
): Promise<string> {
  return (await run(Connection, 'connection.add', { name, baseUrl, apiKey })).connectionId;
}

/** Removes a connection, with its key. */
export const disconnect = (connectionId: string) => run(v.unknown(), 'connection.remove', { connectionId });

/** A workflow of the samples by a part of its name. */
export async function findWorkflow(
  part: string,
): Promise<{ id: string; name: string; isDeployed: boolean | null }> {
  const found = (await listWorkflows()).find(({ name }) => name.includes(part));
  if (found === undefined) throw new Error(`There is no workflow "${part}".`);
  return found;
}
