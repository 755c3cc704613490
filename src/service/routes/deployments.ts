// Deploy, undeploy and execute workflows (contract section 3, operations 8 to 10).
import { createHash } from 'node:crypto';
import { aliases, operations } from '../../protocol/operations.ts';
import { ExecuteRequest } from '../../protocol/requests.ts';
import type { ExecutionSummaryJson, TriggeredJson } from '../../protocol/records.ts';
import type { Engine } from '../engine/engine.ts';
import { readJsonBody, readRequest, refuseFaults } from '../http/body.ts';
import { HttpError, invalidRequest, versionConflict, workflowNotFound } from '../http/httpError.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import type { NewExecution } from '../store/executions.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Store } from '../store/store.ts';
import { answerWorkflow, expectedVersion, pathValue } from './workflows.ts';

export function registerDeploymentRoutes(
  app: ServiceApp,
  store: Store,
  engine: Engine,
  sandbox: Sandbox,
): void {
  const undeploy = async (context: ServiceContext): Promise<Response> => {
    await readJsonBody(context);
    const workflow = await store.workflows.undeploy(pathValue(context, 'workflowId'));
    if (!workflow) throw workflowNotFound();
    return answerWorkflow(context, workflow);
  };
  route(app, basePath, operations.deployWorkflow, (context) => deploy(context, store, sandbox));
  route(app, basePath, operations.undeployWorkflow, undeploy);
  route(app, basePath, aliases.undeployByDelete, undeploy);
  route(app, basePath, operations.executeWorkflow, (context) => execute(context, store, engine));
}

async function deploy(context: ServiceContext, store: Store, sandbox: Sandbox): Promise<Response> {
  await readJsonBody(context);
  const id = pathValue(context, 'workflowId');
  const draft = await store.workflows.get(id);
  if (!draft) throw workflowNotFound();
  const expected = expectedVersion(context);
  if (expected !== undefined && expected !== draft.updatedAt) throw versionConflict();
  const faults = await sandbox.checkDefinition(draft);
  if (faults.faults.length > 0)
    throw refuseFaults('workflow_invalid', faults, ({ path, message }) =>
      path ? `${path}: ${message}` : message,
    );
  const workflow = await store.workflows.deploy(id, draft.updatedAt);
  if (workflow === 'missing') throw workflowNotFound();
  if (workflow === 'conflict') throw versionConflict();
  return answerWorkflow(context, workflow);
}

async function execute(context: ServiceContext, store: Store, engine: Engine): Promise<Response> {
  const workflowId = pathValue(context, 'workflowId');
  const definition = await store.workflows.getDeployed(workflowId);
  if (definition === undefined) throw workflowNotFound();
  const { input } = await readRequest(context, ExecuteRequest);
  if (definition === null) throw new HttpError(409, 'workflow_not_deployed', 'The workflow is not deployed.');
  const idempotency = readIdempotency(context, JSON.stringify([workflowId, input]));
  const execution = { workflowId, definition, input: JSON.stringify(input), idempotency };
  const result = await store.executions.trigger(execution);
  if (result.kind === 'conflict')
    throw new HttpError(409, 'idempotency_conflict', 'The Idempotency-Key was used with another request.');
  // The execution is stored, so it continues even if this process ends.
  if (result.kind === 'created') await engine.start(result.execution.id);
  return context.json(toTriggered(result.execution), 202);
}

function readIdempotency(context: ServiceContext, body: string): NewExecution['idempotency'] {
  const key = context.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (key === '' || key.length > 255)
    throw invalidRequest('The Idempotency-Key must have 1 to 255 characters.');
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return { keyId: context.get('apiKey').id, key, bodyHash };
}

function toTriggered(execution: ExecutionSummaryJson): TriggeredJson {
  return {
    workflowId: execution.workflowId,
    eventIds: [execution.eventId],
    status: 'triggered',
    executionIds: [execution.id],
  };
}
