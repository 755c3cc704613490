// What an odd service does for each operation, wherever it has put it.
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { type OddContext, type OddParts, refuse } from './oddContext.ts';
import { isOver, logsOf, type OddExecution, outputOf, summaryOf } from './oddWorld.ts';

function workflowIn({ world, context }: OddContext): JsonObject {
  const found = world.findWorkflow(context.req.param('workflowId'));
  return found ?? refuse(404, 'workflow_not_found', 'There is no such workflow.');
}

/** The execution, looked at once more. */
function executionIn({ world, context }: OddContext): OddExecution {
  const found = world.findExecution(context.req.param('executionId'));
  return found ?? refuse(404, 'execution_not_found', 'There is no such execution.');
}

function setDeployed(odd: OddContext, isDeployed: boolean): Response {
  const { id, nodes, edges } = workflowIn(odd);
  if (isDeployed) odd.world.deployed.set(id, { nodes: nodes ?? [], edges: edges ?? [] });
  else odd.world.deployed.delete(id);
  return workflowAnswer(odd, odd.world.changeWorkflow(workflowIn(odd), { isDeployed }));
}

/** What the service says of the workflow's deployment. */
function toldOf({ service, world }: OddContext, workflow: JsonObject): JsonObject {
  return service.tells?.(workflow, world.deployed.get(workflow['id']) ?? null) ?? {};
}

function workflowAnswer(odd: OddContext, workflow: JsonObject, status: 200 | 201 = 200): Response {
  return odd.single({ ...workflow, ...toldOf(odd, workflow) }, status);
}

/** What only the service can know is not for a caller to say. */
function refuseTold(odd: OddContext): void {
  const names = Object.keys(odd.service.tells?.({}, null) ?? {});
  if (names.some((name) => odd.sent[name] !== undefined))
    refuse(422, 'validation_failed', 'Not yours to say.');
}

function without(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function execute(odd: OddContext): Response {
  const { id, isDeployed } = workflowIn(odd);
  if (isDeployed !== true) refuse(409, 'workflow_not_deployed', 'The workflow is not deployed.');
  const workflowId = typeof id === 'number' || typeof id === 'string' ? id : '';
  const { eventId } = odd.world.addExecution(workflowId, odd.sent['input'] ?? null);
  return odd.json({ workflowId, eventIds: [eventId], status: 'triggered' }, 202);
}

/** Newest first, without what would sort them. */
const contractParts = ({ input, output, rows }: OddParts): JsonObject => ({
  input,
  output,
  steps: rows.map((row) => ({ ...without(row, ['sequence', 'id']), startedAt: row.timestamp })).toReversed(),
});

function fullRecord({ service, world }: OddContext, execution: OddExecution): JsonObject {
  const { parts = contractParts } = service;
  const { input } = execution;
  const rows = logsOf(world, execution);
  return { ...summaryOf(world, execution), ...parts({ input, output: outputOf(execution), rows }) };
}

function details(odd: OddContext): Response {
  const execution = executionIn(odd);
  if (odd.service.singles === 'denied') refuse(404, 'not_found', 'Not found');
  execution.looks += 1;
  if (odd.service.hasFullDetails === true) return odd.single(fullRecord(odd, execution));
  return odd.single({ ...summaryOf(odd.world, execution), input: execution.input });
}

function listExecutions(odd: OddContext): Response {
  const { service, world } = odd;
  const summaries = (each: OddExecution): JsonObject => summaryOf(world, each);
  if (service.singles === undefined) return odd.list(world.executions.map(summaries));
  for (const execution of world.executions) execution.looks += 1;
  return odd.list(
    world.executions.map((each) =>
      service.hasFullList === true ? fullRecord(odd, each) : { ...summaryOf(world, each), input: each.input },
    ),
  );
}

function stream({ world, context, service }: OddContext, execution: OddExecution): Response {
  execution.looks = 2;
  const render = (event: string, data: JsonValue): string =>
    `event: ${event}\ndata: ${JSON.stringify(service.body?.(data) ?? data)}\n\n`;
  const rows = logsOf(world, execution).map((row) => render('log', row));
  const end = render('end', { executionId: execution.id, status: world.write.word('completed') });
  return context.body([...rows, end].join(''), 200, { 'Content-Type': 'text/event-stream' });
}

function logs(odd: OddContext): Response {
  const execution = executionIn(odd);
  const wantsStream = odd.context.req.header('Accept') === 'text/event-stream';
  if (wantsStream && odd.service.hasStream !== false) return stream(odd, execution);
  const rows = logsOf(odd.world, execution);
  if (odd.service.logs !== 'text') return odd.list(rows);
  return odd.context.text(
    rows.map(({ timestamp, message }) => `${JSON.stringify(timestamp)} ${message}\n`).join(''),
  );
}

function update(odd: OddContext): Response {
  const workflow = workflowIn(odd);
  // Who replaces a workflow must send all of it.
  const isWhole = ['name', 'nodes', 'edges', 'extra'].every((name) => odd.sent[name] !== undefined);
  if (odd.context.req.method === 'PUT' && !isWhole) refuse(422, 'validation_failed', 'A member is missing.');
  refuseTold(odd);
  // Deploying has calls of its own.
  const changes = without(odd.sent, ['isDeployed', 'is_deployed']);
  return workflowAnswer(odd, odd.world.changeWorkflow(workflow, changes));
}

function create(odd: OddContext): Response {
  if (typeof odd.sent['name'] !== 'string') refuse(422, 'validation_failed', 'name must be text.');
  refuseTold(odd);
  return workflowAnswer(odd, odd.world.addWorkflow(odd.sent), 201);
}

export const handlers = {
  listWorkflows: (odd: OddContext) =>
    odd.list(
      odd.world.workflows.map((each) => ({
        ...without(each, odd.service.hasDefinitionsInList ? [] : ['nodes', 'edges']),
        ...toldOf(odd, each),
      })),
    ),
  getWorkflow: (odd: OddContext) => workflowAnswer(odd, workflowIn(odd)),
  createWorkflow: create,
  updateWorkflow: update,
  deleteWorkflow(odd: OddContext) {
    const gone = workflowIn(odd);
    odd.world.workflows = odd.world.workflows.filter((each) => each !== gone);
    return odd.context.body(null, 204);
  },
  deployWorkflow: (odd: OddContext) => setDeployed(odd, true),
  undeployWorkflow: (odd: OddContext) => setDeployed(odd, false),
  executeWorkflow: execute,
  listExecutions,
  getExecution: details,
  getOutput(odd: OddContext) {
    const execution = executionIn(odd);
    const status = odd.world.write.word(isOver(execution) ? 'completed' : 'running');
    return odd.json({ executionId: execution.id, status, output: outputOf(execution), error: null });
  },
  listNodeLogs: logs,
  listPortalEvents: (odd: OddContext) =>
    odd.list(
      odd.world.executions.map(({ eventId, startedAt }) => ({
        id: eventId,
        type: 'execution.triggered',
        timestamp: odd.world.write.time(startedAt),
        data: {},
      })),
    ),
} as const;
