// Workflows: list, get, create, update, delete, import, duplicate, deploy, undeploy and execute (contract section 3, operations 1 to 10).
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { aliases, limits, operations } from '../../protocol/operations.ts';
import type { ExecutionSummaryJson, TriggeredJson, WorkflowJson } from '../../protocol/records.ts';
import {
  CreateWorkflowRequest,
  DuplicateWorkflowRequest,
  ExecuteRequest,
  ReplaceWorkflowRequest,
  UpdateWorkflowRequest,
} from '../../protocol/requests.ts';
import { toSentence } from '../../definition/definitionFault.ts';
import type { Engine } from '../engine/engine.ts';
import { checkRequest, readJsonBody, readRequest, refuseFaults } from '../http/body.ts';
import { HttpError, invalidRequest, versionConflict, workflowNotFound } from '../http/httpError.ts';
import { pathValue, readBoolean, readCursor, readLimit, readText, toListBody } from '../http/query.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import { hashOf } from '../ids.ts';
import { type Sandbox, TooManyChecksError } from '../sandbox/sandbox.ts';
import type { NewExecution } from '../store/executions.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/store.ts';
import type { WorkflowStore } from '../store/workflows.ts';

export function registerWorkflowRoutes(app: ServiceApp, workflows: WorkflowStore): void {
  route(app, basePath, operations.listWorkflows, async (context) => {
    const page = await workflows.list({
      limit: readLimit(context),
      before: readCursor(context, 'workflows'),
      search: readText(context, 'search'),
      deployed: readBoolean(context, 'deployed'),
    });
    return context.json(toListBody('workflows', page));
  });
  route(app, basePath, operations.getWorkflow, async (context) => {
    const workflow = await workflows.get(pathValue(context, 'workflowId'));
    if (!workflow) throw workflowNotFound();
    return answerWorkflow(context, workflow);
  });
  route(app, basePath, operations.createWorkflow, async (context) =>
    create(context, workflows, await readRequest(context, CreateWorkflowRequest)),
  );
  route(app, basePath, operations.updateWorkflow, async (context) =>
    update(context, workflows, await readRequest(context, UpdateWorkflowRequest)),
  );
  route(app, basePath, aliases.replaceWorkflow, async (context) =>
    update(context, workflows, await readRequest(context, ReplaceWorkflowRequest)),
  );
  route(app, basePath, operations.deleteWorkflow, async (context) => {
    if (!(await workflows.delete(pathValue(context, 'workflowId')))) throw workflowNotFound();
    return context.body(null, 204);
  });
  route(app, basePath, operations.importWorkflow, async (context) => {
    const body = await readJsonBody(context, limits.importBytes);
    if (body === undefined) throw new HttpError(400, 'invalid_json', 'The body is empty.');
    const request = checkRequest(CreateWorkflowRequest, toImported(body), 'import_invalid');
    return create(context, workflows, request);
  });
  route(app, basePath, operations.duplicateWorkflow, async (context) => {
    const original = await workflows.get(pathValue(context, 'workflowId'));
    if (!original) throw workflowNotFound();
    const body = (await readJsonBody(context)) ?? {};
    const { name } = checkRequest(DuplicateWorkflowRequest, body, 'validation_failed');
    return create(context, workflows, { ...original, name: name ?? `${original.name} (copy)` });
  });
}

interface DeploymentParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
}

export function registerDeploymentRoutes(app: ServiceApp, parts: DeploymentParts): void {
  const { store, sandbox } = parts;
  const undeploy = async (context: ServiceContext): Promise<Response> => {
    await readJsonBody(context);
    const workflow = await store.workflows.undeploy(pathValue(context, 'workflowId'));
    if (!workflow) throw workflowNotFound();
    return answerWorkflow(context, workflow);
  };
  route(app, basePath, operations.deployWorkflow, (context) => deploy(context, store, sandbox));
  route(app, basePath, operations.undeployWorkflow, undeploy);
  route(app, basePath, aliases.undeployByDelete, undeploy);
  route(app, basePath, operations.executeWorkflow, (context) => execute(context, parts));
}

/** Sends the workflow with its ETag, which `If-Match` accepts. */
function answerWorkflow(context: ServiceContext, workflow: WorkflowJson, status: 200 | 201 = 200): Response {
  context.header('ETag', `"${workflow.updatedAt}"`);
  return context.json(workflow, status);
}

/** Returns the version that the caller has read, from `If-Match` or the given member; undefined accepts any version. */
function expectedVersion(context: ServiceContext, member?: string | number): string | number | undefined {
  const header = context.req.header('If-Match')?.trim();
  if (header === undefined) return member;
  return header === '*' ? undefined : header.replace(/^(W\/)?"(.*)"$/, '$2');
}

async function create(
  context: ServiceContext,
  workflows: WorkflowStore,
  request: CreateWorkflowRequest,
): Promise<Response> {
  const workflow = await workflows.create({
    name: request.name,
    description: request.description ?? null,
    nodes: request.nodes ?? [],
    edges: request.edges ?? [],
    settings: request.settings ?? {},
  });
  context.header('Location', `${basePath}/workflows/${workflow.id}`);
  return answerWorkflow(context, workflow, 201);
}

async function update(
  context: ServiceContext,
  workflows: WorkflowStore,
  request: UpdateWorkflowRequest,
): Promise<Response> {
  const { version, ...changes } = request;
  const id = pathValue(context, 'workflowId');
  const workflow = await workflows.update(id, changes, expectedVersion(context, version));
  if (workflow === 'missing') throw workflowNotFound();
  if (workflow === 'conflict') throw versionConflict();
  return answerWorkflow(context, workflow);
}

/** Accepts `{workflow, name?}` or the exported workflow itself. */
function toImported(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const inner = body['workflow'];
  if (inner === undefined) return body;
  if (!isJsonObject(inner)) return inner;
  const named: JsonObject = body['name'] === undefined ? {} : { name: body['name'] };
  return { ...inner, ...named };
}

async function deploy(context: ServiceContext, store: Store, sandbox: Sandbox): Promise<Response> {
  await readJsonBody(context);
  const id = pathValue(context, 'workflowId');
  const draft = await store.workflows.get(id);
  if (!draft) throw workflowNotFound();
  const expected = expectedVersion(context);
  if (expected !== undefined && expected !== draft.updatedAt) throw versionConflict();
  const faults = await sandbox.checkDefinition(draft).catch((error: unknown) => {
    throw error instanceof TooManyChecksError ? tooManyChecks(error) : error;
  });
  if (faults.faults.length > 0)
    throw refuseFaults('workflow_invalid', faults, ({ message }) => toSentence(message));
  const workflow = await store.workflows.deploy(id, draft.updatedAt);
  if (workflow === 'missing') throw workflowNotFound();
  if (workflow === 'conflict') throw versionConflict();
  return answerWorkflow(context, workflow);
}

function tooManyChecks({ message }: TooManyChecksError): HttpError {
  return new HttpError(503, 'unavailable', `${message} Try again in a few seconds.`, {
    headers: { 'Retry-After': '5' },
  });
}

async function execute(
  context: ServiceContext,
  { store, engine, secrets }: DeploymentParts,
): Promise<Response> {
  const workflowId = pathValue(context, 'workflowId');
  const definition = await store.workflows.getDeployed(workflowId);
  if (definition === undefined) throw workflowNotFound();
  const { input } = await readRequest(context, ExecuteRequest);
  if (definition === null) throw new HttpError(409, 'workflow_not_deployed', 'The workflow is not deployed.');
  const idempotency = readIdempotency(context, JSON.stringify([workflowId, input]));
  await secrets.keepFresh();
  const masked = secrets.mask.json(JSON.stringify(input));
  const execution = { workflowId, definition, input: masked, idempotency };
  const result = await store.executions.trigger(execution);
  if (result.kind === 'conflict')
    throw new HttpError(409, 'idempotency_conflict', 'The Idempotency-Key was used with another request.');
  // The execution is stored, so it continues even if this process ends.
  if (result.kind === 'created')
    await engine.start(result.execution.id, { requestId: context.get('requestId') });
  return context.json(toTriggered(result.execution), 202);
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
