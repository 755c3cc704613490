// The commands that ask a service, for each fault to hit, and what they do there in the words of `operations.ts`.
import type { JsonValue } from '../../src/base/json.ts';

export interface FaultedCommand {
  readonly words: readonly string[];
  /** What is said of a fault is what a window says of one of these. */
  readonly operations: readonly string[];
  /** Whether it follows: it goes on until Ctrl+C where the connection is lost again and again. */
  readonly follows?: true;
}

/** The files that they read, by their names. */
export const commandFiles: Readonly<Record<string, JsonValue>> = {
  'a.workflow.json': { name: 'N', nodes: [], edges: [] },
  'a.workflow-test.json': {
    workflow: 'wf_1',
    tests: [{ name: 'tests', input: {}, expected: { status: 'completed' } }],
  },
};

const find = ['get a workflow', 'list workflows'];
const executing = [...find, 'list executions', 'get an execution', 'follow', 'get an output'];

const command = (line: string, operations: readonly string[], follows?: true): FaultedCommand => ({
  words: line.split(' '),
  operations,
  ...(follows && { follows }),
});

export const faultedCommands: readonly FaultedCommand[] = [
  command('workflow list', find),
  command('workflow show wf_1', find),
  command('workflow create a.workflow.json', ['import', 'create']),
  command('workflow update wf_1 a.workflow.json', [...find, 'update']),
  command('workflow delete wf_1 --yes', [...find, 'delete']),
  command('workflow duplicate wf_1', [...find, 'duplicate', 'create']),
  command('workflow deploy wf_1', [...find, 'deploy']),
  command('workflow undeploy wf_1', [...find, 'undeploy']),
  command('workflow execute wf_1', [...find, 'execute']),
  command('workflow execute wf_1 --wait', [...executing, 'execute'], true),
  command('workflow execute wf_1 --draft a.workflow.json', [...find, 'execute a draft']),
  command('execution list', ['list executions']),
  command('execution show exec_1', ['get an execution']),
  command('execution output exec_1', ['get an output', 'get an execution']),
  command('execution logs exec_1', ['read a log', 'get an execution', 'follow']),
  command('execution logs exec_1 --follow', ['follow', 'get an execution', 'read a log'], true),
  command('execution explain exec_1', ['get an execution', 'read a log', 'follow', 'list executions']),
  command('execution cancel exec_1', ['get an execution', 'cancel']),
  command('execution retry exec_1', ['get an execution', 'retry', ...find]),
  command('execution retry exec_1 --wait', [...executing, 'retry'], true),
  command('test a.workflow-test.json', [...executing, 'execute']),
];
