// Starts executions, of a deployed workflow, of a draft, or as the retry of another, and cancels them (contract sections 3 and 9, operations
// 10 and 16 to 18).
import { stringifyJson } from '../../base/json.ts';
import { toSentence } from '../../definition/definitionFault.ts';
import { createGraph, loopsOf } from '../../definition/graph.ts';
import { readEdges, readNodes, type WorkflowDefinition } from '../../definition/definition.ts';
import { operations } from '../../protocol/operations.ts';
import type { ExecutionSummaryJson, TriggeredJson } from '../../protocol/records.ts';
import { ExecuteDraftRequest, ExecuteRequest, RetryRequest } from '../../protocol/requests.ts';
import { respondWithJson } from './executions.ts';
import type { Engine } from '../engine/engine.ts';
import { nodesToRunAgain } from '../engine/changedNodes.ts';
import { maskPlan } from '../engine/maskPlan.ts';
import { needsOf } from '../engine/needsOf.ts';
import { checkRequest, readJsonBody, readOptionalBody, readRequest, refuseFaults } from '../http/body.ts';
import { executionNotFound, HttpError, invalidRequest, workflowNotFound } from '../http/httpError.ts';
import { pathValue } from '../http/query.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import { hashOf } from '../ids.ts';
import { type Sandbox, TooManyChecksError } from '../sandbox/sandbox.ts';
import { MaskError, type StrictMasking } from '../secrets/masking.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { hasEnded } from '../../domain/status.ts';
import { commonQueue, type Needs, type Queue, queueOf } from '../store/needs.ts';
import type { NewExecution } from '../store/newExecution.ts';
import { type Plan, type SourceExecution, SourceGoneError } from '../store/plans.ts';
import type { Store } from '../store/store.ts';
import { isForEach, type NodeType } from '../../definition/nodeTypes.ts';

/** The maximum length of a chain of retries. */
const maximumChain = 100;

export interface ExecutingParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
}

export function registerExecutingRoutes(app: ServiceApp, parts: ExecutingParts): void {
  route(app, basePath, operations.executeWorkflow, (context) => execute(context, parts));
  route(app, basePath, operations.executeDraft, (context) => executeDraft(context, parts));
  route(app, basePath, operations.retryExecution, (context) => retry(context, parts));
  route(app, basePath, operations.cancelExecution, (context) => cancel(context, parts));
}

/** Refuses a definition that can't be executed. */
export async function refuseInvalid(sandbox: Sandbox, definition: WorkflowDefinition): Promise<void> {
  const faults = await sandbox.checkDefinition(definition).catch((error: unknown) => {
    throw error instanceof TooManyChecksError ? tooManyChecks(error) : error;
  });
  if (faults.faults.length > 0)
    throw refuseFaults('workflow_invalid', faults, ({ message }) => toSentence(message));
}

function tooManyChecks({ message }: TooManyChecksError): HttpError {
  return new HttpError(503, 'unavailable', `${message} Try again in a few seconds.`, {
    headers: { 'Retry-After': '5' },
  });
}

async function execute(context: ServiceContext, parts: ExecutingParts): Promise<Response> {
  const workflowId = pathValue(context, 'workflowId');
  const deployed = await parts.store.workflows.getDeployed(workflowId);
  if (deployed === undefined) throw workflowNotFound();
  const { input } = await readRequest(context, ExecuteRequest);
  if (deployed === null) throw notDeployed();
  const idempotency = readIdempotency(context, stringifyJson([workflowId, input]));
  return start(context, parts, { workflowId, ...deployed, input: stringifyJson(input), idempotency });
}

async function executeDraft(context: ServiceContext, parts: ExecutingParts): Promise<Response> {
  const { store, sandbox } = parts;
  const workflowId = pathValue(context, 'workflowId');
  const saved = await store.workflows.get(workflowId);
  if (!saved) throw workflowNotFound();
  const body = await readOptionalBody(context);
  const request = checkRequest(ExecuteDraftRequest, body);
  const source = await findBasis(store, workflowId, request);
  const { nodes, edges, settings = {} } = request.definition ?? saved;
  const definition = { nodes, edges, settings };
  await refuseInvalid(sandbox, definition);
  refuseMisplaced(definition, request);
  const { pinned, answers, until, only, iteration, basedOn = null } = request;
  const own = request.input === undefined ? undefined : stringifyJson(request.input);
  return start(context, parts, {
    workflowId,
    definition,
    input: (only === undefined ? (own ?? source?.input) : (source?.input ?? own)) ?? '{}',
    kind: 'draft',
    basedOn,
    plan: {
      again: [],
      pinned: pinned ?? {},
      ...(answers && Object.keys(answers).length > 0 && { answers }),
      iteration: iteration ?? [],
      ...(until !== undefined && { until }),
      ...(only !== undefined && { only }),
    },
    idempotency: readIdempotency(context, stringifyJson(['draft', workflowId, body])),
  });
}

async function findBasis(
  store: Store,
  workflowId: string,
  { basedOn }: ExecuteDraftRequest,
): Promise<SourceExecution | undefined> {
  if (basedOn === undefined) return undefined;
  const source = await store.records.getSource(basedOn);
  if (!source || !(await store.records.basis(basedOn))) throw executionNotFound();
  if (source.workflowId !== workflowId) throw refuse(['basedOn'], 'must be an execution of this workflow');
  return source;
}

/** Refuses options that don't fit the definition. */
function refuseMisplaced(definition: WorkflowDefinition, request: ExecuteDraftRequest): void {
  const graph = createGraph(readNodes(definition), readEdges(definition));
  const typeOf = (id: string, path: readonly string[]): NodeType => {
    const node = graph.order.find((each) => each.id === id);
    if (!node) throw refuse(path, "isn't a node of the definition");
    return node.type;
  };
  const { pinned = {}, answers = {}, until, only, iteration } = request;
  for (const id of Object.keys(pinned)) {
    const path = ['pinned', id];
    if (isForEach(typeOf(id, path))) throw refuse(path, "is a for-each, which can't be pinned");
  }
  for (const id of Object.keys(answers)) {
    const path = ['answers', id];
    const type = typeOf(id, path);
    if (type !== 'httpRequest')
      throw refuse(path, `is a ${type} node, and only an httpRequest node can be answered`);
  }
  if (until !== undefined && only !== undefined)
    throw refuse(['until'], 'can\'t be given together with "only"');
  if (until !== undefined) typeOf(until, ['until']);
  if (only !== undefined) typeOf(only, ['only']);
  if (iteration === undefined) return;
  if (only === undefined) throw refuse(['iteration'], 'must come with "only"');
  const loops = loopsOf(only, graph).length;
  if (iteration.length !== loops)
    throw refuse(
      ['iteration'],
      `must have one number for each loop around the node, of which there are ${loops}`,
    );
}

function refuse(path: readonly string[], message: string): HttpError {
  return refuseFaults(
    'validation_failed',
    { faults: [{ path, message }], more: 0 },
    () => `${path.join('.')} ${message}.`,
  );
}

async function retry(context: ServiceContext, parts: ExecutingParts): Promise<Response> {
  const { store } = parts;
  const id = pathValue(context, 'executionId');
  const source = await store.records.getSource(id);
  const links = source && (await store.records.links(id, []));
  if (!source || !links) throw executionNotFound();
  if (links.length >= maximumChain)
    throw new HttpError(
      409,
      'chain_too_long',
      `The execution is the last one of a chain of ${maximumChain} retries. Execute the workflow again instead.`,
    );
  const body = await readOptionalBody(context);
  const { fromNodeId, definition: which = 'same' } = checkRequest(RetryRequest, body);
  if (!hasEnded(source.status))
    throw new HttpError(409, 'execution_not_ended', `The execution hasn't ended yet: it's ${source.status}.`);
  if (source.status === 'completed' && fromNodeId === undefined)
    throw new HttpError(
      409,
      'execution_completed',
      'The execution has completed. To run a part of it again, name the node in "fromNodeId".',
    );
  const { workflowId } = source;
  const run = which === 'same' ? source : await store.workflows.getDeployed(workflowId);
  if (!run) throw notDeployed();
  const { definition, version } = run;
  const isKnown = (wanted: string) => definition.nodes.some((node) => node['id'] === wanted);
  if (fromNodeId !== undefined && !(isKnown(fromNodeId) && (await store.records.hasRun(links, fromNodeId))))
    throw new HttpError(422, 'node_not_run', `The node "${fromNodeId}" has not run in this execution.`);
  return start(context, parts, {
    workflowId,
    definition,
    version,
    input: source.input,
    kind: source.kind,
    retryOf: id,
    basedOn: source.basedOn,
    plan: {
      iteration: [],
      ...source.plan,
      ...withPinsOf(source),
      again: nodesToRunAgain(source.definition, definition, fromNodeId),
    },
    idempotency: readIdempotency(context, stringifyJson(['retry', id, body])),
  });
}

/** However long a chain of retries is, its pinned outputs and answers are stored once. */
function withPinsOf({ id, plan }: SourceExecution): Pick<Plan, 'pinned' | 'answers' | 'pinnedIn'> {
  const { pinned = {}, answers } = plan ?? {};
  const hasOwn = Object.keys(pinned).length + Object.keys(answers ?? {}).length > 0;
  return { pinned: {}, ...(answers && { answers: {} }), ...(hasOwn && { pinnedIn: id }) };
}

async function cancel(context: ServiceContext, { store, engine }: ExecutingParts): Promise<Response> {
  await readJsonBody(context);
  const id = pathValue(context, 'executionId');
  const outcome = await engine.cancel(id);
  const execution = outcome === 'missing' ? undefined : await store.executions.get(id);
  if (!execution) throw executionNotFound();
  if (outcome === 'ended')
    throw new HttpError(409, 'execution_ended', `The execution has ended already: it's ${execution.status}.`);
  return respondWithJson(context, { ...execution });
}

function notDeployed(): HttpError {
  return new HttpError(409, 'workflow_not_deployed', 'The workflow is not deployed.');
}

async function start(
  context: ServiceContext,
  { store, sandbox, secrets }: ExecutingParts,
  execution: Omit<NewExecution, 'queue'>,
): Promise<Response> {
  await secrets.refreshIfStale();
  const { workflowId } = execution;
  const { signal } = context.req.raw;
  const needs = await needsOf(execution, { sandbox, secrets, signal });
  const queue = (await store.hasOlderProcesses()) ? queueForOlder(needs) : queueOf(workflowId, needs);
  const masked = await maskGiven(execution, secrets.masking.strict);
  const result = await store.executions
    .trigger({ ...execution, ...masked, queue })
    .catch((error: unknown) => {
      throw error instanceof SourceGoneError ? executionNotFound() : error;
    });
  if (result.kind === 'conflict')
    throw new HttpError(409, 'idempotency_conflict', 'The Idempotency-Key was used with another request.');
  return context.json(toTriggered(result.execution), 202);
}

/** Without what it was given, an execution would do something else, so it isn't started. */
async function maskGiven(
  { input: given, plan }: Pick<NewExecution, 'input' | 'plan'>,
  masking: StrictMasking,
): Promise<Pick<NewExecution, 'input' | 'plan' | 'isInputMasked'>> {
  try {
    const input = await masking.json(given);
    const maskedPlan = plan && (await maskPlan(plan, masking));
    const isInputMasked = input !== given || maskedPlan?.pinned !== plan?.pinned;
    return { input, plan: maskedPlan, isInputMasked };
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    const message =
      'The input and the outputs given could not be searched for secrets, so nothing was started. Try again in a few seconds.';
    throw new HttpError(503, 'unavailable', message, { headers: { 'Retry-After': '5' } });
  }
}

/** Processes of an older version take every execution, and find only those in the queue of all versions. */
function queueForOlder({ level }: Needs): Queue {
  if (level <= commonQueue.level) return commonQueue;
  throw new HttpError(
    503,
    'unavailable',
    'Some processes of the service run an older version, which would run this execution incorrectly. Restart them with this version, and try again.',
    { headers: { 'Retry-After': '5' } },
  );
}

function readIdempotency(context: ServiceContext, body: string): NewExecution['idempotency'] {
  const key = context.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (key === '' || key.length > 255)
    throw invalidRequest('The Idempotency-Key must have 1 to 255 characters.');
  return { keyId: context.get('apiKey').id, key, bodyHash: hashOf(body, 'hex') };
}

function toTriggered(execution: ExecutionSummaryJson): TriggeredJson {
  return {
    workflowId: execution.workflowId,
    eventIds: [execution.eventId],
    status: 'triggered',
    executionIds: [execution.id],
  };
}
