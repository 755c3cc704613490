import { type JsonObject, stringifyJson } from '../../base/json.ts';
import type { DescribedRequest } from '../../domain/httpExchange.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { CallOptions, Page, WorkflowQuery } from '../../domain/queries.ts';
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import { nameOfCopy, type Workflow } from '../../domain/workflow.ts';
import { limits, type OperationName, operations } from '../../protocol/operations.ts';
import { decodeWorkflow, isAboutDeployment, isNamed, withoutDeployed } from '../decode/workflow.ts';
import { locatedId, withTwins } from '../decode/fields.ts';
import { listNames } from '../decode/envelope.ts';
import { maximumPages } from '../decode/nextPage.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { TriggerOptions, WholeRead, WorkflowPort } from '../servicePort.ts';
import { LostDeletes } from './lostDeletes.ts';
import { type KeyedPage, PageReader } from './pageReader.ts';
import { pageDecoder, readWhole, type ResourceDeps, unreadable } from './resource.ts';
import { findListed, type RecordPlaces, SingleRecords } from './singleRecords.ts';
import { bodyOf, sendTrigger } from './triggering.ts';
import type { DraftRequest } from '../../protocol/requests.ts';

const listDecoder = {
  names: listNames.workflows,
  what: 'workflows',
  decode: decodeWorkflow,
  keyOf: ({ id }: Workflow) => id,
};

/** Members that describe the record instead of its content. A copy gets its own. */
const ownMembers = withTwins(['id', '_id', 'uuid', 'workflowId', 'createdAt', 'updatedAt', 'version']);

/** Returns the content of a workflow's record, for a copy of it. */
function contentOf(record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => !ownMembers.has(name) && !isAboutDeployment(name, value),
    ),
  );
}

type WorkflowCallsDeps = Pick<ResourceDeps, 'transport' | 'logger' | 'workflowIds' | 'clock'>;

/** Every call rejects with a ServiceError, or with the signal's reason when cancelled. */
export class WorkflowCalls implements WorkflowPort {
  readonly #deps: WorkflowCallsDeps;
  readonly #singles: SingleRecords<Workflow>;
  readonly #pages: PageReader;
  readonly #deletes = new LostDeletes();

  constructor(deps: WorkflowCallsDeps) {
    this.#deps = deps;
    this.#singles = new SingleRecords(deps.clock);
    this.#pages = new PageReader(deps);
  }

  async list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>> {
    const { items, nextCursor } = await this.#readPage(query, options);
    return { items, nextCursor };
  }

  listWhole(read: WholeRead): Promise<readonly Workflow[]> {
    return readWhole(read, listDecoder.keyOf, (query, options) => this.#readPage(query, options));
  }

  /** Searches the list where the service doesn't return single workflows. */
  get(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.#singles.read({
      ...this.#listed(workflowId, options),
      single: () => this.getOne(workflowId, options),
    });
  }

  async getOne(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const request = { operation: operations.getWorkflow, values: { workflowId } };
    const response = await this.#deps.transport.call(request, options);
    const workflow = decodeWorkflow(response.body);
    if (!workflow) throw unreadable(response, 'a workflow');
    return workflow;
  }

  create(workflow: JsonObject, options?: CallOptions): Promise<Workflow> {
    return this.#make('createWorkflow', workflow, options);
  }

  update(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<Workflow> {
    return this.#change('updateWorkflow', workflowId, changes, options);
  }

  delete(workflowId: string, options?: CallOptions): Promise<void> {
    const request = { operation: operations.deleteWorkflow, values: { workflowId } };
    return this.#deletes.delete(workflowId, () => this.#deps.transport.call(request, options));
  }

  import(workflow: JsonObject, options?: CallOptions): Promise<Workflow> {
    const forms = { bare: () => Promise.resolve(workflow) };
    return this.#make('importWorkflow', { workflow }, options, { forms });
  }

  /** Reads the workflow and creates a copy where the service has no endpoint for duplicating. */
  async duplicate(workflowId: string, name: string | undefined, options?: CallOptions): Promise<Workflow> {
    const body = name === undefined ? {} : { name };
    try {
      return await this.#make('duplicateWorkflow', body, options, { values: { workflowId } });
    } catch (error) {
      if (!isServiceError(error, 'notOffered')) throw error;
      const original = await this.#getWhole(workflowId, options);
      const chosen = name ?? nameOfCopy(original.name, limits.nameLength);
      return this.#make('createWorkflow', { ...contentOf(original.raw), name: chosen }, options);
    }
  }

  deploy(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.#change('deployWorkflow', workflowId, {}, options);
  }

  async undeploy(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await this.#change('undeployWorkflow', workflowId, {}, options);
    } catch (error) {
      const isDone = isServiceError(error, 'notDeployed') && (error.status === 400 || error.status === 409);
      if (!isDone) throw error;
      return this.get(workflowId, options);
    }
  }

  execute(workflowId: string, input: JsonObject, options?: TriggerOptions): Promise<Triggered> {
    const request = { operation: operations.executeWorkflow, values: { workflowId }, body: { input } };
    return sendTrigger(this.#deps, { ...request, workflowId }, options);
  }

  executeDraft(workflowId: string, draft: DraftRequest, options?: TriggerOptions): Promise<Triggered> {
    const request = {
      operation: operations.executeDraft,
      values: { workflowId },
      body: bodyOf({ ...draft }),
      capability: draft.answers === undefined ? undefined : ('answers' as const),
    };
    return sendTrigger(this.#deps, { ...request, workflowId }, options);
  }

  saveProgress(): Promise<Workflow> {
    const message = 'Executions of this service report their nodes while they run.';
    return Promise.reject(new ServiceError({ kind: 'notOffered', isNotAdvertised: true }, message));
  }

  describeExecution(workflowId: string, input: JsonObject): DescribedRequest {
    const body = { input };
    const request = { operation: operations.executeWorkflow, values: { workflowId }, body };
    const { method, url } = this.#deps.transport.describe(request);
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    return { method, url, headers, body: stringifyJson(body, 2) };
  }

  /** Where a workflow's record is in the list. */
  #listed(workflowId: string, options: CallOptions | undefined): Omit<RecordPlaces<Workflow>, 'single'> {
    const limit = limits.maximumPageSize;
    return {
      key: workflowId,
      keyOf: listDecoder.keyOf,
      page: (cursor) => this.#readPage({ limit, ...(cursor === undefined ? {} : { cursor }) }, options),
    };
  }

  #readPage({ cursor, ...query }: WorkflowQuery, options?: CallOptions): Promise<KeyedPage<Workflow>> {
    const decode = pageDecoder(listDecoder, this.#deps.logger);
    return this.#pages.read({ operation: operations.listWorkflows, query, cursor, decode }, options);
  }

  /** Rejects with "notOffered" where the service doesn't return the definition, so that it isn't lost. */
  async #getWhole(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await this.getOne(workflowId, options);
    } catch (error) {
      if (!isServiceError(error, 'notOffered')) throw error;
      const found = await findListed(this.#listed(workflowId, options), maximumPages);
      if (found.hasDefinition) return found;
      throw new ServiceError({ kind: 'notOffered' }, 'The service shows no workflow as a whole.');
    }
  }

  /** Reads a workflow of which a response only says what changed. The change is made, whatever comes of that. */
  async #readIfPartial(workflow: Workflow, options?: CallOptions): Promise<Workflow> {
    if (isNamed(workflow)) return workflow;
    try {
      return await this.get(workflow.id, options);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return workflow;
    }
  }

  /** Changes one workflow. Reads it when the response doesn't contain it. */
  async #change(
    name: OperationName,
    workflowId: string,
    body: JsonObject,
    options?: CallOptions,
  ): Promise<Workflow> {
    /** For services that replace the whole workflow. */
    const whole = async (): Promise<JsonObject> => ({
      ...withoutDeployed((await this.#getWhole(workflowId, options)).raw),
      ...body,
    });
    const request = {
      operation: operations[name],
      values: { workflowId },
      body,
      forms: { whole },
      mayBeNotDeployed: name === 'undeployWorkflow',
    };
    const workflow = decodeWorkflow((await this.#deps.transport.call(request, options)).body);
    return workflow?.id === workflowId
      ? this.#readIfPartial(workflow, options)
      : this.get(workflowId, options);
  }

  /** Creates a workflow. A response without it must at least contain its location. */
  async #make(
    name: OperationName,
    body: JsonObject,
    options?: CallOptions,
    rest: Pick<ServiceRequest, 'values' | 'forms'> = {},
  ): Promise<Workflow> {
    const request = { operation: operations[name], body, ...rest };
    const response = await this.#deps.transport.call(request, options);
    const workflow = decodeWorkflow(response.body);
    if (workflow) return this.#readIfPartial(workflow, options);
    const id = locatedId(response.headers.get('location'), ['workflows']);
    if (id === null) throw unreadable(response, 'the new workflow');
    return this.get(id, options);
  }
}
