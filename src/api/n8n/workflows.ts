import type { Logger } from '../../base/logger.ts';
import type { DescribedRequest } from '../../domain/describedRequest.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { CallOptions, Page, WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { decodeWorkflow } from '../decode/workflow.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyedPage } from '../resources/pageReader.ts';
import { readWhole, unreadable } from '../resources/resource.ts';
import type { WholeRead, WorkflowPort } from '../servicePort.ts';
import { decodeWorkflowRow } from './decode.ts';
import { n8nOperations } from './operations.ts';
import { readPage } from './pages.ts';
import { notOfferedByN8n, refuse } from './refusing.ts';

/** Each row is a whole document, so that a longer page could be larger than what is read. */
const pageSize = 50;

export class N8nWorkflows implements WorkflowPort {
  readonly #deps: { readonly transport: Transport; readonly logger: Logger };

  constructor(deps: { readonly transport: Transport; readonly logger: Logger }) {
    this.#deps = deps;
  }

  /** In n8n's order, which is by id. */
  async list(query: WorkflowQuery, options?: CallOptions): Promise<Page<Workflow>> {
    const { items, nextCursor } = await this.#readPage(query, options);
    return { items, nextCursor };
  }

  /** The last changed one first. */
  async listWhole(read: WholeRead): Promise<readonly Workflow[]> {
    const timeOf = ({ updatedAt }: Workflow): number => updatedAt?.getTime() ?? 0;
    const workflows = await readWhole(
      read,
      ({ id }: Workflow) => id,
      (query, options) => this.#readPage(query, options),
    );
    return workflows.toSorted((left, right) => timeOf(right) - timeOf(left));
  }

  get(workflowId: string, options?: CallOptions): Promise<Workflow> {
    return this.getOne(workflowId, options);
  }

  async getOne(workflowId: string, options?: CallOptions): Promise<Workflow> {
    const request = { operation: n8nOperations.getWorkflow, values: { workflowId } };
    const answer = await this.#deps.transport.call(request, options);
    const workflow = decodeWorkflow(answer.body);
    if (workflow?.hasDefinition !== true) throw unreadable(answer, 'a workflow');
    return workflow;
  }

  create(): Promise<Workflow> {
    return refuse('Creating workflows');
  }

  update(): Promise<Workflow> {
    return refuse('Changing workflows');
  }

  delete(): Promise<void> {
    return refuse('Deleting workflows');
  }

  import(): Promise<Workflow> {
    return refuse('Importing workflows');
  }

  duplicate(): Promise<Workflow> {
    return refuse('Duplicating workflows');
  }

  deploy(): Promise<Workflow> {
    return refuse('Deploying workflows');
  }

  undeploy(): Promise<Workflow> {
    return refuse('Undeploying workflows');
  }

  execute(): Promise<Triggered> {
    return refuse('Executing workflows');
  }

  executeDraft(): Promise<Triggered> {
    return refuse('Executing drafts');
  }

  describeExecution(): DescribedRequest {
    throw notOfferedByN8n('A request that executes a workflow by its id');
  }

  #readPage(query: WorkflowQuery, options?: CallOptions): Promise<KeyedPage<Workflow>> {
    const { limit = pageSize, cursor, search, deployed } = query;
    const request = {
      operation: n8nOperations.listWorkflows,
      query: { limit: Math.min(limit, pageSize), cursor, name: search, active: deployed },
      what: 'workflows',
      decode: decodeWorkflowRow,
    };
    return readPage(this.#deps, request, options);
  }
}
