// Workflows: list, get, create, update, delete, import, duplicate, deploy and undeploy (contract section 3, operations 1 to 9).
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { nameOfCopy } from '../../domain/workflow.ts';
import { aliases, limits, operations } from '../../protocol/operations.ts';
import type { WorkflowJson } from '../../protocol/records.ts';
import {
  CreateWorkflowRequest,
  DuplicateWorkflowRequest,
  ReplaceWorkflowRequest,
  UpdateWorkflowRequest,
} from '../../protocol/requests.ts';
import { checkRequest, readJsonBody, readOptionalBody, readRequest } from '../http/body.ts';
import { HttpError, versionConflict, workflowNotFound } from '../http/httpError.ts';
import { pathValue, readBoolean, readCursor, readLimit, readText, toListBody } from '../http/query.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import type { WorkflowStore } from '../store/workflows.ts';
import { type ExecutingParts, refuseInvalid } from './executing.ts';
import { definitionFormats } from '../../domain/definitionFormat.ts';

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
    return respondWithWorkflow(context, workflow);
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
    const imported = toImported(body);
    refuseOther(imported);
    return create(context, workflows, checkRequest(CreateWorkflowRequest, imported, 'import_invalid'));
  });
  route(app, basePath, operations.duplicateWorkflow, async (context) => {
    const original = await workflows.get(pathValue(context, 'workflowId'));
    if (!original) throw workflowNotFound();
    const body = await readOptionalBody(context);
    const { name } = checkRequest(DuplicateWorkflowRequest, body);
    return create(context, workflows, {
      ...original,
      name: name ?? nameOfCopy(original.name, limits.nameLength),
    });
  });
}

export function registerDeploymentRoutes(app: ServiceApp, parts: ExecutingParts): void {
  const { store } = parts;
  const undeploy = async (context: ServiceContext): Promise<Response> => {
    await readJsonBody(context);
    const workflow = await store.workflows.undeploy(pathValue(context, 'workflowId'));
    if (!workflow) throw workflowNotFound();
    return respondWithWorkflow(context, workflow);
  };
  route(app, basePath, operations.deployWorkflow, (context) => deploy(context, parts));
  route(app, basePath, operations.undeployWorkflow, undeploy);
  route(app, basePath, aliases.undeployByDelete, undeploy);
}

/** Sends the workflow with its ETag, which `If-Match` accepts. */
function respondWithWorkflow(
  context: ServiceContext,
  workflow: WorkflowJson,
  status: 200 | 201 = 200,
): Response {
  context.header('ETag', `"${workflow.updatedAt}"`);
  return context.json(workflow, status);
}

/**
 * Returns the version that the caller has read, from `If-Match` or the given member; undefined accepts any version. Of several, it's the one
 * that the workflow has now.
 */
async function expectedVersion(
  context: ServiceContext,
  workflows: Pick<WorkflowStore, 'get'>,
  member?: string | number,
): Promise<string | number | undefined> {
  const header = context.req.header('If-Match')?.trim();
  if (header === undefined) return member;
  if (header === '*') return undefined;
  const tags = Array.from(header.matchAll(/(?:W\/)?"([^"]*)"/g), ([, tag = '']) => tag);
  if (tags.length < 2) return tags[0] ?? header;
  const current = await workflows.get(pathValue(context, 'workflowId'));
  return tags.find((tag) => tag === current?.updatedAt) ?? tags[0];
}

async function create(
  context: ServiceContext,
  workflows: WorkflowStore,
  request: CreateWorkflowRequest,
): Promise<Response> {
  const workflow = await workflows.create(request);
  context.header('Location', `${basePath}/workflows/${workflow.id}`);
  return respondWithWorkflow(context, workflow, 201);
}

async function update(
  context: ServiceContext,
  workflows: WorkflowStore,
  request: UpdateWorkflowRequest,
): Promise<Response> {
  const { version, ...changes } = request;
  const id = pathValue(context, 'workflowId');
  const workflow = await workflows.update(id, changes, await expectedVersion(context, workflows, version));
  if (workflow === 'missing') throw workflowNotFound();
  if (workflow === 'conflict') throw versionConflict();
  return respondWithWorkflow(context, workflow);
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

/** Throws 422 for a document of another format, whose connections would be dropped. */
function refuseOther(imported: JsonValue): void {
  if (!isJsonObject(imported) || imported['edges'] !== undefined || !isJsonObject(imported['connections']))
    return;
  const { product } = definitionFormats.n8n;
  throw new HttpError(
    422,
    'import_invalid',
    `This is a document of ${product}, with "connections" in place of "edges". Import it into ${product}.`,
  );
}

async function deploy(context: ServiceContext, { store, sandbox }: ExecutingParts): Promise<Response> {
  await readJsonBody(context);
  const id = pathValue(context, 'workflowId');
  const draft = await store.workflows.get(id);
  if (!draft) throw workflowNotFound();
  const expected = await expectedVersion(context, store.workflows);
  if (expected !== undefined && expected !== draft.updatedAt) throw versionConflict();
  await refuseInvalid(sandbox, draft);
  const workflow = await store.workflows.deploy(id, draft.updatedAt);
  if (workflow === 'missing') throw workflowNotFound();
  if (workflow === 'conflict') throw versionConflict();
  return respondWithWorkflow(context, workflow);
}
