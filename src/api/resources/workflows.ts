// The calls about workflows (contract section 3, 1 to 10, and 7.4).
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { isServiceError, ServiceError } from '../../domain/serviceError.ts';
import { type OperationName, operations } from '../../protocol/operations.ts';
import type { CallOptions, WorkflowCalls } from '../client.ts';
import { decodeTriggered } from '../decode/execution.ts';
import { isAboutDeployment, withoutDeployed } from '../decode/deployment.ts';
import { snakeCase } from '../decode/fields.ts';
import { locatedId } from '../decode/located.ts';
import { listNames } from '../decode/unwrap.ts';
import { decodeWorkflow } from '../decode/workflow.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import type { ExecutionPlaces } from './executionPlaces.ts';
import { eachPage, readPage, unreadable } from './pages.ts';
import type { Page, WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';

const listDecoder = { names: listNames.workflows, what: 'workflows', decode: decodeWorkflow };

/** What belongs to the record, not to its content: a copy gets its own. */
const ownMembers = new Set(
  [
    'id',
    '_id',
    'uuid',
    'workflowId',
    'createdAt',
    'updatedAt',
    'deployedAt',
    'isDeployed',
    'version',
  ].flatMap((name) => [name, snakeCase(name)]),
);

/** An execution that a limit holds up is waited for this long, in milliseconds. */
const executePatienceMs = 60_000;

export function createWorkflowCalls(
  transport: Transport,
  logger: Logger,
  places: ExecutionPlaces,
): WorkflowCalls {
  /** Workflows whose deletion was sent and whose answer was lost. */
  const lostDeletes = new Set<string>();

  async function list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>> {
    const { cursor, ...rest } = query;
    const answer = await transport.call(
      { operation: operations.listWorkflows, query: rest, cursor },
      options,
    );
    return readPage(answer, cursor, listDecoder, logger);
  }

  async function findInList(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const pages = eachPage((cursor) => list(cursor === undefined ? {} : { cursor }, options));
    for await (const { items } of pages) {
      const found = items.find((item) => item.id === workflowId);
      if (found) return found;
    }
    throw new ServiceError({ kind: 'notFound' }, 'The list of workflows does not hold this one.');
  }

  async function getOne(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const request = { operation: operations.getWorkflow, values: { workflowId } };
    const answer = await transport.call(request, options);
    const reading = decodeWorkflow(answer.body);
    if (!reading) throw unreadable(answer, 'a workflow');
    return reading;
  }

  async function get(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await getOne(workflowId, options);
    } catch (error) {
      if (!isServiceError(error, 'notOffered')) throw error;
      return findInList(workflowId, options);
    }
  }

  /** The workflow with its changes, for a service that replaces it. Throws "notOffered" rather than lose what it does not show. */
  async function merged(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return { ...withoutDeployed((await getWhole(workflowId, options)).raw), ...changes };
  }

  async function getWhole(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await getOne(workflowId, options);
    } catch (error) {
      if (!isServiceError(error, 'notOffered')) throw error;
      const found = await findInList(workflowId, options);
      if (!found.hasDefinition)
        throw new ServiceError({ kind: 'notOffered' }, 'The service shows no workflow as a whole.');
      return found;
    }
  }

  async function duplicate(
    workflowId: string,
    name: string | undefined,
    options?: CallOptions,
  ): Promise<Workflow> {
    try {
      return await make('duplicateWorkflow', name === undefined ? {} : { name }, options, {
        values: { workflowId },
      });
    } catch (error) {
      if (!isServiceError(error, 'notOffered')) throw error;
      const original = await getWhole(workflowId, options);
      const content = Object.entries(original.raw).filter(
        ([member]) => !ownMembers.has(member) && !isAboutDeployment(member),
      );
      const copy = { ...Object.fromEntries(content), name: name ?? `${original.name} (copy)` };
      return make('createWorkflow', copy, options);
    }
  }

  /** A change of one workflow; an answer that does not carry it makes us read it. */
  async function change(
    name: OperationName,
    workflowId: string,
    body: JsonObject,
    options?: CallOptions,
  ): Promise<Workflow> {
    const request = {
      operation: operations[name],
      values: { workflowId },
      body,
      forms: { whole: () => merged(workflowId, body, options) },
      mayBeNotDeployed: name === 'undeployWorkflow',
    };
    const reading = decodeWorkflow((await transport.call(request, options)).body);
    return reading?.id === workflowId ? reading : get(workflowId, options);
  }

  /** A call that makes a workflow; an answer without it must at least say where it is. */
  async function make(
    name: OperationName,
    body: JsonObject,
    options?: CallOptions,
    rest: Pick<ServiceRequest, 'values' | 'forms'> = {},
  ): Promise<Workflow> {
    const answer = await transport.call({ operation: operations[name], body, ...rest }, options);
    const reading = decodeWorkflow(answer.body);
    if (reading) return reading;
    const id = locatedId(answer.headers.get('location'), ['workflows']);
    if (id === null) throw unreadable(answer, 'the new workflow');
    return get(id, options);
  }

  async function remove(workflowId: string, options?: CallOptions): Promise<void> {
    try {
      await transport.call({ operation: operations.deleteWorkflow, values: { workflowId } }, options);
      lostDeletes.delete(workflowId);
    } catch (error) {
      if (isServiceError(error, 'notFound') && lostDeletes.delete(workflowId)) return;
      if (isServiceError(error, 'unreachable') || isServiceError(error, 'unavailable'))
        lostDeletes.add(workflowId);
      throw error;
    }
  }

  async function undeploy(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await change('undeployWorkflow', workflowId, {}, options);
    } catch (error) {
      const isDone = isServiceError(error, 'notDeployed') && (error.status === 400 || error.status === 409);
      if (!isDone) throw error;
      return get(workflowId, options);
    }
  }

  return {
    list,
    get,
    getOne,
    create: (workflow, options) => make('createWorkflow', workflow, options),
    update: (workflowId, changes, options) => change('updateWorkflow', workflowId, changes, options),
    delete: remove,
    import: (workflow, options) =>
      make('importWorkflow', { workflow }, options, { forms: { bare: () => Promise.resolve(workflow) } }),
    duplicate,
    deploy: (workflowId, options) => change('deployWorkflow', workflowId, {}, options),
    undeploy,
    async execute(workflowId, input, options = {}) {
      const answer = await transport.call(
        {
          operation: operations.executeWorkflow,
          values: { workflowId },
          body: { input },
          headers: { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() },
          patienceMs: executePatienceMs,
          mayBeNotDeployed: true,
        },
        options,
      );
      const trigger = decodeTriggered(
        answer.body ?? (answer.text.trim() === '' ? undefined : answer.text.trim()),
        {
          workflowId,
          runIdHeader: answer.headers.get('x-run-id'),
          locationHeader: answer.headers.get('location'),
          dateHeader: answer.headers.get('date'),
        },
      );
      for (const executionId of trigger.executionIds) places.record(executionId, workflowId);
      return trigger;
    },
  };
}
