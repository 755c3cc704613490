import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { type Clock, wait } from '../../base/time.ts';
import type { DescribedRequest } from '../../domain/httpExchange.ts';
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { CallOptions, Page, WorkflowQuery } from '../../domain/queries.ts';
import type { StartTrigger } from '../../domain/triggers.ts';
import { nameOfCopy, refuseArchived, type Workflow } from '../../domain/workflow.ts';
import type { Operation } from '../../protocol/operations.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import { LostDeletes } from '../resources/lostDeletes.ts';
import type { KeyedPage } from '../resources/pageReader.ts';
import { readWhole, unreadable } from '../resources/resource.ts';
import type {
  DeployedElsewhere,
  TriggerOptions,
  TriggersOptions,
  WholeRead,
  WorkflowPort,
} from '../servicePort.ts';
import { addressKeys, findTaken, freeAddresses, withNewAddresses } from './addresses.ts';
import { decodeWholeWorkflow, decodeWorkflowRow } from './decode.ts';
import { contentOf, toCreated, toReplacement } from './documents.ts';
import type { N8nExecuting } from './executing.ts';
import type { KnownPages } from './knownPages.ts';
import { onceInEffect } from './onceInEffect.ts';
import { n8nOperations, savedAlone } from './operations.ts';
import { readN8nPage } from './pages.ts';
import { dispensable, isAddressTaken, placeRefusal, placeTaken } from './refusals.ts';
import { notOfferedByN8n, refuse } from './refusing.ts';
import type { DraftRequest } from '../../protocol/requests.ts';

/** Each row is a whole document, so that a longer page could be larger than what is read. */
const pageSize = 50;

/** Of a workflow's name that n8n takes. */
const longestName = 128;

/** How long after a deployment its webhooks may not respond yet, in milliseconds. */
const listeningMs = 350;

interface WorkflowDeps {
  readonly transport: Transport;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly executing: N8nExecuting;
  readonly known: KnownPages;
  /** Named by the errors that something of the connection helps against. */
  readonly connectionId: string | null;
}

/** How often a document is sent again without what was refused of it: n8n names one setting at a time. */
const maximumAttempts = 20;

function without(document: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const { [name]: held = null, ...others } = document;
  return rest.length > 0 && isJsonObject(held) ? { ...others, [name]: without(held, rest) } : others;
}

function wholeIn(response: CompleteResponse): Workflow {
  const workflow = decodeWholeWorkflow(response.body);
  if (workflow?.hasDefinition !== true) throw unreadable(response, 'a workflow');
  return workflow;
}

interface ListeningWorkflow {
  readonly id: string;
  /** Of the addresses of what is deployed. */
  readonly keys: readonly string[];
}

/** Keeps no more of a whole document. */
function decodeListening(row: JsonValue): ListeningWorkflow | undefined {
  const workflow = decodeWholeWorkflow(row);
  return workflow && { id: workflow.id, keys: addressKeys(workflow.deployedDefinition ?? workflow.raw) };
}

/** Where the others can't be listed, what was refused is still said, of the whole. */
function noneIfRefused(error: unknown): readonly number[] {
  if (!isServiceError(error)) throw error;
  return [];
}

export class N8nWorkflows implements WorkflowPort {
  readonly #deps: WorkflowDeps;
  readonly #deletes = new LostDeletes();

  constructor(deps: WorkflowDeps) {
    this.#deps = deps;
  }

  /** In n8n's order, which is by id. */
  async list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>> {
    const read = async (): Promise<Page<Workflow>> => {
      const { items, nextCursor } = await this.#readPage(query, options);
      return { items, nextCursor };
    };
    // What a person asks for is read.
    return options?.purpose === 'workflows' ? this.#deps.known.take(query, read, options) : read();
  }

  /** The last changed one first, and the archived ones last. */
  async listWhole(read: WholeRead): Promise<readonly Workflow[]> {
    const timeOf = ({ updatedAt }: Workflow): number => updatedAt?.getTime() ?? 0;
    const workflows = await readWhole(
      read,
      ({ id }: Workflow) => id,
      (query, options) => this.#readPage(query, options),
    );
    const rankOf = ({ isArchived }: Workflow): number => (isArchived === true ? 1 : 0);
    return workflows.toSorted((left, right) => rankOf(left) - rankOf(right) || timeOf(right) - timeOf(left));
  }

  get(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.getOne(workflowId, options);
  }

  async getOne(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const request = { operation: n8nOperations.getWorkflow, values: { workflowId } };
    return wholeIn(await this.#deps.transport.call(request, options));
  }

  async create(workflow: JsonObject, options?: CallOptions): Promise<Workflow> {
    return this.#create(workflow, options);
  }

  /** The workflow keeps the addresses of its triggers: those who call them find it. */
  async import(workflow: JsonObject, options?: CallOptions): Promise<Workflow> {
    return this.#create(workflow, options);
  }

  /** The copy gets addresses of its own. */
  async duplicate(workflowId: string, name: string | undefined, options?: CallOptions): Promise<Workflow> {
    const { raw } = await this.getOne(workflowId, options);
    const copy = name ?? nameOfCopy(contentOf(raw).name, longestName);
    return this.#create({ ...withNewAddresses(raw), name: copy }, options);
  }

  /**
   * What is deployed stays, where the version of n8n can save alone. Rejects with "conflict" if somebody changed it after `version`, the
   * `updatedAt` that was seen; with "archived" before anything is sent.
   */
  async update(workflowId: string, changes: JsonObject, options?: CallOptions): Promise<Workflow> {
    const { raw } = await this.#getLive(workflowId, options);
    const { version, ...wanted } = changes;
    if (version !== undefined && version !== raw['updatedAt'])
      throw new ServiceError({ kind: 'conflict' }, 'The workflow was changed in the meantime.', {
        status: 409,
      });
    const values = { workflowId };
    const saved = await this.#send(toReplacement(raw, wanted), false, (body) =>
      this.#change(n8nOperations.replaceWorkflow, { values, query: savedAlone, body }, options),
    );
    const { activeVersionId: deployed } = raw;
    if (typeof deployed !== 'string' || saved.raw['activeVersionId'] === deployed) return saved;
    // A version that doesn't know that query has deployed it; one without versions of its own has nothing else to deploy.
    const body = { versionId: deployed };
    return this.#change(n8nOperations.activateWorkflow, { values, body }, options);
  }

  allowMcp(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.update(workflowId, { settings: { availableInMCP: true } }, options);
  }

  saveProgress(workflowId: string, options?: CallOptions): Promise<Workflow> {
    // n8n keeps the settings that are left out.
    return this.update(workflowId, { settings: { saveExecutionProgress: true } }, options);
  }

  /** Undeploys it first, and waits until n8n has done so. */
  delete(workflowId: string, options?: CallOptions): Promise<void> {
    const request = { operation: n8nOperations.deleteWorkflow, values: { workflowId } };
    const { clock, transport } = this.#deps;
    const send = () => transport.call(request, options);
    const isDeployed = (error: unknown) => isServiceError(error, 'conflict');
    return this.#deletes.delete(workflowId, async () => {
      try {
        return await send();
      } catch (error) {
        if (!isDeployed(error)) throw error;
      }
      await this.undeploy(workflowId, options);
      return onceInEffect({ clock, signal: options?.signal }, send, isDeployed);
    });
  }

  archive(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.#change(n8nOperations.archiveWorkflow, { values: { workflowId } }, options);
  }

  async unarchive(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      return await this.#change(n8nOperations.unarchiveWorkflow, { values: { workflowId } }, options);
    } catch (error) {
      if (!isServiceError(error, 'invalid') || !/not archived/i.test(error.message)) throw error;
      return this.getOne(workflowId, options);
    }
  }

  /** Resolves when its webhooks can be expected to respond, which is a moment after n8n has responded. */
  async deploy(workflowId: string, options?: CallOptions): Promise<Workflow> {
    try {
      const activate = { values: { workflowId } };
      const workflow = await this.#change(n8nOperations.activateWorkflow, activate, options);
      // Not cut short: it's deployed all the same.
      await wait(this.#deps.clock, listeningMs);
      return workflow;
    } catch (error) {
      const isTaken = isAddressTaken(error);
      if (!isTaken && !isServiceError(error, 'invalid')) throw error;
      const workflow = await this.#getLive(workflowId, options);
      throw isTaken
        ? placeTaken(error, workflow.raw, await this.#findTaken(workflow, options).catch(noneIfRefused))
        : placeRefusal(error, workflow.raw);
    }
  }

  async deployElsewhere(workflowId: string, options?: CallOptions): Promise<DeployedElsewhere> {
    const workflow = await this.#getLive(workflowId, options);
    const { nodes, moved } = freeAddresses(workflow.raw, await this.#findTaken(workflow, options));
    const { updatedAt: version } = workflow.raw;
    const changes = { nodes: [...nodes], ...(version === undefined ? {} : { version }) };
    if (moved.length > 0) await this.update(workflowId, changes, options);
    return { workflow: await this.deploy(workflowId, options), moved };
  }

  undeploy(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.#change(n8nOperations.deactivateWorkflow, { values: { workflowId } }, options);
  }

  async execute(workflowId: string, input: JsonObject, options?: TriggerOptions): Promise<Triggered> {
    const { signal, purpose } = options ?? {};
    return this.#deps.executing.execute(await this.#getLive(workflowId, { signal, purpose }), input, options);
  }

  async triggers(
    workflowId: string,
    { isDraft = false, ...options }: TriggersOptions = {},
  ): Promise<readonly StartTrigger[]> {
    return this.#deps.executing.triggers(await this.getOne(workflowId, options), isDraft);
  }

  /** Executes what is saved: rejects with "notStartable" for a definition that isn't. */
  async executeDraft(workflowId: string, draft: DraftRequest, options?: TriggerOptions): Promise<Triggered> {
    const { executing } = this.#deps;
    if (!(await executing.offersDrafts())) return refuse('Executing drafts');
    const { signal, purpose } = options ?? {};
    const workflow = await this.#getLive(workflowId, { signal, purpose });
    return executing.executeDraft(workflow, draft, options);
  }

  describeExecution(): DescribedRequest {
    throw notOfferedByN8n('A request that executes a workflow by its id');
  }

  /** Rejects with "archived". */
  async #getLive(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const workflow = await this.getOne(workflowId, options);
    refuseArchived(workflow, this.#deps.connectionId);
    return workflow;
  }

  async #create(document: JsonObject, options?: CallOptions): Promise<Workflow> {
    const created = await this.#send(toCreated(document), true, (body) =>
      this.#change(n8nOperations.createWorkflow, { body }, options),
    );
    const { description } = document;
    if (typeof description !== 'string' || description === '') return created;
    try {
      // n8n takes it of a workflow that is there.
      return await this.update(created.id, { description }, options);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      this.#deps.logger.warn(`The description of a new workflow was not saved: ${error.message}`);
      return created;
    }
  }

  /** Sends a document, again without what this version of n8n refuses and can be done without. Nothing is saved by what is refused. */
  async #send(
    document: JsonObject,
    isNew: boolean,
    send: (body: JsonObject) => Promise<Workflow>,
  ): Promise<Workflow> {
    let body = document;
    for (let attempt = 0; ; attempt += 1)
      try {
        return await send(body);
      } catch (error) {
        const refused = attempt < maximumAttempts ? dispensable(error, body, isNew) : [];
        if (refused.length === 0) throw placeRefusal(error, body);
        for (const path of refused) body = without(body, path);
      }
  }

  async #change(
    operation: Operation,
    request: Pick<ServiceRequest, 'values' | 'query' | 'body'>,
    options?: CallOptions,
  ): Promise<Workflow> {
    try {
      return wholeIn(await this.#deps.transport.call({ operation, ...request }, options));
    } finally {
      // Also after a failure: its response may be what was lost.
      this.#deps.known.forget();
    }
  }

  /** The indexes of the triggers that other deployed workflows are in the way of. */
  async #findTaken(
    { id, raw, deployedDefinition }: Workflow,
    options?: CallOptions,
  ): Promise<readonly number[]> {
    const own = new Set(deployedDefinition === null ? [] : addressKeys(deployedDefinition));
    return findTaken(raw, own, await this.#takenAddresses(id, options));
  }

  /** Of the other workflows that are deployed. */
  async #takenAddresses(
    workflowId: string,
    { signal, purpose = 'asked' }: CallOptions = {},
  ): Promise<ReadonlySet<string>> {
    const request = {
      operation: n8nOperations.listWorkflows,
      what: 'workflows',
      decode: decodeListening,
    };
    const read = { limit: Infinity, purpose, signal };
    const others = await readWhole(
      read,
      ({ id }: ListeningWorkflow) => id,
      ({ cursor }, options) =>
        readN8nPage(this.#deps, { ...request, query: { limit: pageSize, cursor, active: true } }, options),
    );
    return new Set(others.filter(({ id }) => id !== workflowId).flatMap(({ keys }) => keys));
  }

  #readPage(query: WorkflowQuery, options?: CallOptions): Promise<KeyedPage<Workflow>> {
    const { limit = pageSize, cursor, search, deployed } = query;
    const request = {
      operation: n8nOperations.listWorkflows,
      query: { limit: Math.min(limit, pageSize), cursor, name: search, active: deployed },
      what: 'workflows',
      decode: decodeWorkflowRow,
    };
    return readN8nPage(this.#deps, request, options);
  }
}
