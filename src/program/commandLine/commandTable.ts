// The commands. Each is here once: its help, what it takes, and where its code is.
import type { Command, OptionSpecs, Run } from './command.ts';

const input: OptionSpecs = {
  input: { value: 'FILE', says: 'The input, a JSON object in a file; - for stdin' },
  data: { value: 'JSON', says: 'The input, written here' },
};
const wait: OptionSpecs = {
  wait: { says: 'Follows the execution to its end, with its log on stderr and its output on stdout' },
};

const deciding: OptionSpecs = {
  mine: { says: 'Where both sides changed or a workflow was deleted, keeps the file; a push sends it' },
  theirs: {
    says: 'Where both sides changed, takes what the service has; where a workflow was deleted, deletes the file',
  },
};
const dryRun: OptionSpecs = { 'dry-run': { says: 'Shows the plan and changes nothing' } };
const deploy: OptionSpecs = {
  deploy: { says: 'Deploys what it creates and updates, and what is the same already' },
};

type Words = Pick<Command, 'takes' | 'says' | 'example'> & { readonly options?: OptionSpecs };

const asking = (name: string, words: Words, load: () => Promise<Run>): Command => ({
  options: {},
  ...words,
  name,
  example: `workflow-automation ${name} ${words.example}`.trim(),
  asksService: true,
  load,
});

const workflows = () => import('./commands/workflows.ts');
const executing = () => import('./commands/executing.ts');
const executions = () => import('./commands/executions.ts');
const files = () => import('./commands/files.ts');

export const commands: readonly Command[] = [
  asking(
    'workflow list',
    {
      takes: [],
      says: 'Lists the workflows',
      example: '--search invoices --json',
      options: {
        search: { value: 'TEXT', says: 'Only those with this text in their name' },
        deployed: { says: 'Only those that are deployed' },
      },
    },
    async () => (await workflows()).listWorkflows,
  ),
  asking(
    'workflow show',
    { takes: ['W'], says: "Shows a workflow's definition", example: 'wf_1 > totals.workflow.json' },
    async () => (await workflows()).showWorkflow,
  ),
  asking(
    'workflow create',
    { takes: ['FILE'], says: 'Creates a workflow from a definition', example: 'totals.workflow.json' },
    async () => (await workflows()).createWorkflow,
  ),
  asking(
    'workflow update',
    {
      takes: ['W', 'FILE'],
      says: "Replaces a workflow's definition",
      example: '"Order totals" totals.workflow.json',
    },
    async () => (await workflows()).updateWorkflow,
  ),
  asking(
    'workflow delete',
    {
      takes: ['W'],
      says: 'Deletes a workflow',
      example: 'wf_1 --yes',
      options: { yes: { says: 'Needed, since nothing brings it back' } },
    },
    async () => (await workflows()).deleteWorkflow,
  ),
  asking(
    'workflow duplicate',
    {
      takes: ['W'],
      says: 'Duplicates a workflow',
      example: 'wf_1 --name "Order totals, second"',
      options: { name: { value: 'NAME', says: 'The name of the copy' } },
    },
    async () => (await workflows()).duplicateWorkflow,
  ),
  asking(
    'workflow deploy',
    { takes: ['W'], says: 'Deploys a workflow', example: '"Order totals"' },
    async () => (await workflows()).deployWorkflow,
  ),
  asking(
    'workflow undeploy',
    { takes: ['W'], says: 'Undeploys a workflow', example: '"Order totals"' },
    async () => (await workflows()).undeployWorkflow,
  ),
  asking(
    'workflow execute',
    {
      takes: ['W'],
      says: 'Executes a workflow once; what may have arrived is never sent again',
      example: '"Order totals" --data \'{"orderId": 7}\' --wait',
      options: {
        ...input,
        ...wait,
        draft: { value: 'FILE', says: 'Executes this definition as a draft, saved and deployed or not' },
      },
    },
    async () => (await executing()).executeWorkflow,
  ),
  asking(
    'execution list',
    {
      takes: [],
      says: 'Lists executions, the newest first, or searches them',
      example: '--search "INV-7 after:7d" --status failed --limit 5',
      options: {
        workflow: { value: 'W', says: 'Only those of this workflow' },
        status: { value: 'STATUS', says: 'Only those with this status' },
        search: {
          value: 'QUERY',
          says: 'Only those with this text or number in their values, and error:CODE, node:FAILED_ID, after:1d, before:2026-01-31, longer:5m or kind:draft',
        },
        limit: { value: 'NUMBER', says: 'At most so many. Default: 100' },
      },
    },
    async () => (await executions()).listExecutions,
  ),
  asking(
    'execution show',
    { takes: ['E'], says: "Shows an execution's record", example: 'exec_1' },
    async () => (await executions()).showExecution,
  ),
  asking(
    'execution output',
    { takes: ['E'], says: "Shows an execution's output", example: 'exec_1' },
    async () => (await executions()).showOutput,
  ),
  asking(
    'execution logs',
    {
      takes: ['E'],
      says: "Shows an execution's log",
      example: 'exec_1 --follow',
      options: { follow: { says: 'Goes on to the end of the execution; with --json, one row a line' } },
    },
    async () => (await executions()).showLogs,
  ),
  asking(
    'execution explain',
    {
      takes: ['E'],
      says: 'Says why an execution failed: the node, its input, its last lines, and what was different before',
      example: 'exec_1',
    },
    async () => (await executions()).explainExecution,
  ),
  asking(
    'execution cancel',
    { takes: ['E'], says: 'Cancels an execution, where the service offers it', example: 'exec_1' },
    async () => (await executions()).cancelExecution,
  ),
  asking(
    'execution retry',
    {
      takes: ['E'],
      says: 'Goes on from where an execution failed, in a new one, where the service offers it',
      example: 'exec_1 --from sendMail --wait',
      options: {
        from: { value: 'NODE', says: 'Begins at this node' },
        definition: {
          value: 'WHICH',
          says: 'same, the one that it ran, or deployed. Default: deployed if that changed since, else same',
        },
        ...wait,
      },
    },
    async () => (await executing()).retryExecution,
  ),
  {
    name: 'check',
    takes: ['FILE…'],
    says: 'Lists what is wrong with definitions, without a service',
    example: 'workflow-automation check workflows/*.workflow.json',
    options: {},
    asksService: false,
    load: async () => (await import('./commands/check.ts')).checkFiles,
  },
  asking(
    'test',
    {
      takes: ['[FILE…]'],
      says: 'Runs tests of workflows; by default all *.workflow-test.json below this folder',
      example: '--reporter junit > results.xml',
      options: {
        reporter: { value: 'NAME', says: 'spec, junit or json. Default: spec' },
        coverage: { says: 'Lists the nodes that ran and the branches that were taken' },
      },
    },
    async () => (await import('./commands/test.ts')).testWorkflows,
  ),
  asking(
    'files status',
    {
      takes: ['[FILE…]'],
      says: 'Compares the definitions in this folder with a service, by workflows.json',
      example: '--environment staging --json',
    },
    async () => (await files()).filesStatus,
  ),
  asking(
    'files pull',
    {
      takes: ['[FILE…]'],
      says: 'Brings what a service has to the files; a folder without workflows.json gets one',
      example: '--dry-run',
      options: { ...dryRun, ...deciding },
    },
    async () => (await files()).filesPull,
  ),
  asking(
    'files push',
    {
      takes: ['[FILE…]'],
      says: 'Brings the files to a service; what somebody else changed there is never written over',
      example: '--environment staging --deploy',
      options: { ...deploy, ...dryRun, ...deciding },
    },
    async () => (await files()).filesPush,
  ),
  asking(
    'files diff',
    {
      takes: ['[FILE…]'],
      says: 'Shows how the files differ from what a service has, line by line',
      example: 'totals.workflow.json',
      options: { 'exit-code': { says: 'Ends with 1 if anything differs' } },
    },
    async () => (await files()).filesDiff,
  ),
  asking(
    'files promote',
    {
      takes: ['[FILE…]'],
      says: 'Brings what one environment has to another one',
      example: '--from staging --to production --deploy --confirm production',
      options: {
        from: { value: 'NAME', says: 'The environment whose workflows are promoted' },
        to: { value: 'NAME', says: 'The environment that gets them' },
        confirm: { value: 'NAME', says: 'Repeats the name of a guarded environment, which wants it' },
        ...deploy,
        ...dryRun,
        mine: { says: 'Where the other environment has other changes, replaces them' },
        theirs: { says: 'Where the other environment has other changes, leaves them' },
      },
    },
    async () => (await files()).filesPromote,
  ),
  asking(
    'mcp',
    {
      takes: [],
      says: 'Offers tools to a language model by the Model Context Protocol, on stdin and stdout',
      example: '--allow-changes',
      options: { 'allow-changes': { says: 'Also those that execute, retry and save' } },
    },
    async () => (await import('./commands/mcp.ts')).serveMcp,
  ),
  {
    name: 'service',
    takes: ['…'],
    says: "Runs the local service's program with what follows; `service --help` lists it",
    example: 'workflow-automation service --port 4100 --data ./data',
    options: {},
    asksService: false,
    passesOn: true,
    load: async () => (await import('./commands/service.ts')).runService,
  },
];
