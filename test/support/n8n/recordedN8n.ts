// A small n8n that answers as one of version 2.40.7 was recorded to, on a real socket.
import { findCalled } from '../../../src/workflowFiles/subWorkflows.ts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../../src/base/json.ts';
import type { Now } from '../../../src/base/time.ts';
import { keyRights } from '../../../src/domain/apiKey.ts';
import { type Running, serve } from '../servers.ts';
import { asStored, bodyFault } from './bodies.ts';
import { findListener, listeningNodes, receivedBy } from './listeners.ts';
import { answerMcp } from './recordedMcp.ts';
import {
  addressesOf,
  documentOf,
  nodesOf,
  type RecordedExecution,
  RecordedState,
  type RecordedWorkflow,
} from './state.ts';
import {
  documentOfVersion1,
  recordOfVersion1,
  refusalOfVersion1,
  replacementOfVersion1,
  withoutMcp,
} from './version1.ts';

export interface Answer {
  readonly status: number;
  /** JSON, or the text of a web page. */
  readonly body: JsonValue;
  /** Default: that of JSON or of a web page. */
  readonly mediaType?: string;
  /** Where a redirect leads. */
  readonly location?: string;
}

interface Asked {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const page = '<!DOCTYPE html><html><head><title>n8n.io</title></head><body></body></html>';
const malformed =
  '<!DOCTYPE html><html><body><pre>SyntaxError: Unexpected end of JSON input<br> at JSON.parse (&lt;anonymous&gt;)</pre></body></html>';

const ok = (body: JsonValue): Answer => ({ status: 200, body });
const refusal = (status: number, message: string): Answer => ({ status, body: { message } });

type Route = readonly [method: string, path: RegExp, answer: (asked: Asked) => Answer | Promise<Answer>];

/** Its requests, with their headers, are kept in order. */
export class RecordedN8n extends RecordedState {
  readonly keys = new Set([recordedKey]);
  /** What its keys may do. */
  readonly rights = new Set<string>(keyRights);
  /** Whether it tells that, which older versions don't. */
  tellsRights = true;
  /** What a webhook answers after it has started its execution. */
  webhookAnswer: Answer = ok({ message: 'Workflow was started' });
  readonly requests: SeenRequest[] = [];
  /** What is answered in place of carrying out a call below /api/v1, such as "POST /workflows/1/activate". */
  instead: (call: string) => Answer | undefined = () => undefined;
  /** What becomes of an answer on its way, such as in a proxy. */
  passOn: (seen: SeenRequest, answer: Answer) => Answer = (_seen, answer) => answer;
  /** What becomes of an execution after its trigger; by default it runs until a test ends it. */
  play: (execution: RecordedExecution) => void = () => undefined;
  version: 1 | 2 = 2;
  /** Whether it can save without deploying, which older versions can't. */
  savesAlone = true;
  readonly #routes: readonly Route[] = [
    ['GET', /^\/workflows$/, (asked) => this.#listWorkflows(asked)],
    ['POST', /^\/workflows$/, ({ body }) => this.#create(body)],
    ['GET', /^\/workflows\/([^/]+)$/, ({ id }) => this.#ofWorkflow(id, (each) => ok(this.#documentOf(each)))],
    [
      'GET',
      /^\/workflows\/([^/]+\/[^/]+)$/,
      ({ id }) => {
        const [workflowId = '', versionId = ''] = id.split('/');
        const version = this.workflows.get(workflowId)?.versions.get(versionId);
        return version === undefined
          ? refusal(404, 'Version not found')
          : ok({ ...version, workflowId, versionId });
      },
    ],
    ['PUT', /^\/workflows\/([^/]+)$/, ({ id, body, query }) => this.#update(id, body, query)],
    ['DELETE', /^\/workflows\/([^/]+)$/, ({ id }) => this.#ofWorkflow(id, (each) => this.#delete(each))],
    [
      'POST',
      /^\/workflows\/([^/]+)\/archive$/,
      ({ id }) => this.#ofWorkflow(id, (each) => this.#archive(each)),
    ],
    [
      'POST',
      /^\/workflows\/([^/]+)\/unarchive$/,
      ({ id }) => this.#ofWorkflow(id, (each) => this.#unarchive(each)),
    ],
    ['POST', /^\/workflows\/([^/]+)\/activate$/, ({ id, body }) => this.#activate(id, body)],
    ['POST', /^\/workflows\/([^/]+)\/deactivate$/, ({ id }) => this.#deactivate(id)],
    ['GET', /^\/executions$/, ({ query }) => this.#listExecutions(query)],
    ['GET', /^\/executions\/([^/]+)$/, ({ id, query }) => this.#getExecution(id, query)],
    ['POST', /^\/executions\/([^/]+)\/stop$/, ({ id }) => this.#stop(id)],
    ['POST', /^\/executions\/([^/]+)\/retry$/, ({ id }) => this.#retry(id)],
  ];

  /** now: the time of what happens here. */
  static async serve(now: Now): Promise<{ readonly n8n: RecordedN8n; readonly running: Running }> {
    const n8n = new RecordedN8n(now);
    return { n8n, running: await serve((request, response) => void n8n.#receive(request, response)) };
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, text: await text(request) };
    this.requests.push(seen);
    const { status, body, mediaType, location } = this.passOn(seen, await this.#answer(seen));
    const isText = typeof body === 'string';
    const ofBody = isText ? 'text/html; charset=utf-8' : 'application/json';
    response.writeHead(status, { 'content-type': mediaType ?? ofBody, ...(location && { location }) });
    response.end(isText ? body : JSON.stringify(body));
  }

  #answer(seen: SeenRequest): Answer | Promise<Answer> {
    const { pathname, searchParams } = new URL(seen.url, 'http://n8n');
    if (pathname.startsWith('/webhook/'))
      return this.#webhook(decodeURIComponent(pathname.slice('/webhook/'.length)), seen);
    if (pathname === '/mcp-server/http') return this.version === 1 ? withoutMcp : answerMcp(this, seen);
    if (!pathname.startsWith('/api/v1/')) return ok(page);
    if (!this.keys.has(String(seen.headers['x-n8n-api-key']))) return refusal(401, 'Unauthorized');
    const body = seen.text === '' ? {} : parseJson(seen.text);
    if (!isJsonObject(body)) return { status: 500, body: malformed };
    const path = pathname.slice('/api/v1'.length);
    const answer = this.instead(`${seen.method} ${path}`);
    if (answer !== undefined) return answer;
    if (path === '/discover' && this.tellsRights)
      return ok({ data: { scopes: [...this.rights], resources: {} } });
    if (/^\/workflows\/[^/]+\/execute$/.test(path)) return refusal(405, `${seen.method} method not allowed`);
    const { method } = seen;
    const older =
      this.version === 1 ? refusalOfVersion1({ method, path, query: searchParams, body }) : undefined;
    if (older !== undefined) return older;
    const here = this.#routes.filter(([, pattern]) => pattern.test(path));
    const route = here.find(([method]) => method === seen.method);
    if (route === undefined)
      return here.length > 0 ? refusal(405, `${seen.method} method not allowed`) : refusal(404, 'not found');
    if (!this.rights.has(rightOf(`${seen.method} ${path}`))) return refusal(403, 'Forbidden');
    const id = decodeURIComponent(route[1].exec(path)?.[1] ?? '');
    return route[2]({ id, query: searchParams, body });
  }

  override recordOf(execution: RecordedExecution, withData: boolean): JsonObject {
    const record = super.recordOf(execution, withData);
    return this.version === 1 ? recordOfVersion1(record) : record;
  }

  #documentOf(workflow: RecordedWorkflow): JsonObject {
    const document = documentOf(workflow);
    return this.version === 1 ? documentOfVersion1(document) : document;
  }

  #ofWorkflow(id: string, answer: (workflow: RecordedWorkflow) => Answer): Answer {
    const workflow = this.workflows.get(id);
    return workflow === undefined ? refusal(404, 'Not Found') : answer(workflow);
  }

  #listWorkflows({ query }: Asked): Answer {
    const [active, name] = [query.get('active'), query.get('name')?.toLowerCase() ?? ''];
    const found = [...this.workflows.values()]
      .filter((each) => active === null || String(each.activeVersionId !== null) === active)
      .filter((each) => each.name.toLowerCase().includes(name))
      .toSorted((left, right) => left.id.localeCompare(right.id));
    const from = Number(query.get('cursor')?.replace('offset-', '') ?? 0);
    const to = from + limitOf(query);
    return ok({
      data: found.slice(from, to).map((each) => this.#documentOf(each)),
      nextCursor: to < found.length ? `offset-${to}` : null,
    });
  }

  #create(body: JsonObject): Answer {
    const fault = bodyFault(body, false);
    return fault === undefined ? ok(this.#documentOf(this.addWorkflow(asStored(body)))) : refusal(400, fault);
  }

  #archive(workflow: RecordedWorkflow): Answer {
    this.archive(workflow);
    return ok(this.#documentOf(workflow));
  }

  #unarchive(workflow: RecordedWorkflow): Answer {
    if (!workflow.isArchived) return refusal(400, 'Workflow is not archived.');
    this.unarchive(workflow);
    return ok(documentOf(workflow));
  }

  #update(id: string, body: JsonObject, query: URLSearchParams): Answer {
    return this.#ofWorkflow(id, (workflow) => {
      const fault = bodyFault(body, true);
      if (fault !== undefined) return refusal(400, fault);
      if (workflow.isArchived) return refusal(400, 'Cannot update an archived workflow.');
      const hasTrigger = nodesOf(body['nodes']).some(isTrigger);
      const publishes = this.version === 1 || !this.savesAlone || query.get('publishIfActive') !== 'false';
      if (workflow.activeVersionId !== null && publishes && !hasTrigger) return refusal(400, noTrigger);
      this.replace(workflow, this.version === 1 ? replacementOfVersion1(body) : body, publishes);
      return ok(this.#documentOf(workflow));
    });
  }

  #delete(workflow: RecordedWorkflow): Answer {
    if (workflow.activeVersionId !== null)
      return refusal(409, 'Cannot delete a published workflow. Unpublish it before deleting.');
    if (workflow.lag > 0) {
      workflow.lag -= 1;
      return refusal(409, 'Workflow is still being unpublished. Please try again in a few moments.');
    }
    this.workflows.delete(workflow.id);
    for (const { id, workflowId } of this.executions.values())
      if (workflowId === workflow.id) this.executions.delete(id);
    return ok(this.#documentOf(workflow));
  }

  #activate(id: string, { versionId }: JsonObject): Answer {
    const workflow = this.workflows.get(id);
    if (workflow === undefined)
      return refusal(404, 'You do not have permission to activate this workflow. Ask the owner.');
    if (workflow.isArchived) return refusal(400, 'Cannot activate an archived workflow.');
    if (!workflow.nodes.some(isTrigger)) return refusal(400, noTrigger);
    const unpublished = this.version === 1 ? undefined : this.#findUnpublished(workflow);
    if (unpublished !== undefined) return refusal(400, unpublished);
    const others = [...this.workflows.values()].filter((each) => each.id !== id);
    const taken = [workflow.nodes, ...others.map(listeningNodes)].flatMap(addressesOf);
    if (addressesOf(workflow.nodes).some((each) => taken.filter((other) => other === each).length > 1))
      return refusal(409, 'There is a conflict with one of the webhooks.');
    this.activate(workflow, typeof versionId === 'string' ? versionId : undefined);
    return ok(this.#documentOf(workflow));
  }

  /** What n8n says of a node that calls a workflow which isn't published. */
  #findUnpublished(workflow: RecordedWorkflow): string | undefined {
    for (const node of workflow.nodes) {
      const [called] = findCalled({ nodes: [node], connections: {} });
      const found = called && this.workflows.get(called.workflowId);
      if (found !== undefined && found !== workflow && found.activeVersionId === null)
        return `Cannot publish workflow: Node ${stringifyJson(node['name'] ?? null)} references workflow ${found.id} ("${found.name}") which is not published. Please publish all referenced sub-workflows first.`;
    }
    return undefined;
  }

  #deactivate(id: string): Answer {
    return this.#ofWorkflow(id, (workflow) => {
      this.deactivate(workflow);
      return ok(this.#documentOf(workflow));
    });
  }

  #listExecutions(query: URLSearchParams): Answer {
    const [status, workflowId] = [query.get('status'), query.get('workflowId')];
    const lastId = Number(query.get('cursor')?.replace('last-', '') ?? Infinity);
    const limit = limitOf(query);
    const found = [...this.executions.values()]
      .filter((each) => (status === null ? each.status !== 'running' : each.status === status))
      .filter((each) => workflowId === null || each.workflowId === workflowId)
      .filter(({ id }) => id < lastId)
      .toSorted((left, right) => right.id - left.id);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return ok({
      data: shown.map((each) => this.recordOf(each, query.get('includeData') === 'true')),
      nextCursor: last !== undefined && shown.length < found.length ? `last-${last.id}` : null,
    });
  }

  #getExecution(id: string, query: URLSearchParams): Answer {
    if (!/^\d+$/.test(id)) return refusal(400, 'request/params/id must be number');
    return this.#ofExecution(id, (each) => ok(this.recordOf(each, query.get('includeData') === 'true')));
  }

  #ofExecution<T>(id: string, answer: (execution: RecordedExecution) => T): T | Answer {
    const execution = this.executions.get(Number(id));
    return execution === undefined ? refusal(404, 'Not Found') : answer(execution);
  }

  #stop(id: string): Answer {
    return this.#ofExecution(id, (execution) => {
      if (execution.stoppedAt !== null) return refusal(409, 'The execution has already ended.');
      this.end(execution.id, 'canceled');
      return ok(this.recordOf(execution, false));
    });
  }

  /** Answers after the end of the retry. One that runs is run again, as it is in n8n. */
  #retry(id: string): Answer | Promise<Answer> {
    return this.#ofExecution(id, async (execution) => {
      if (execution.status === 'success')
        return refusal(409, 'The execution succeeded, so it cannot be retried.');
      const again = this.start(execution.workflowId, { mode: 'retry', retryOf: id });
      this.play(again);
      await this.untilEnd(again.id);
      return ok(this.recordOf(again, false));
    });
  }

  #webhook(path: string, seen: SeenRequest): Answer {
    const found = findListener([...this.workflows.values()], path, seen.method);
    if (found === undefined || found.workflow.lag > 0) {
      const isHalfKnown = found?.workflow.lag === 1;
      if (found !== undefined) found.workflow.lag -= 1;
      const { method } = seen;
      const message = isHalfKnown
        ? `This webhook is not registered for ${method} requests. Did you mean to make a ${method} request?`
        : `The requested webhook "${method} ${path}" is not registered.`;
      return { status: 404, body: { code: 404, message, hint: 'Activate the workflow.' } };
    }
    const { workflow, node, params, output } = found;
    const execution = this.start(workflow.id);
    this.ran(execution.id, node, {
      startTime: Date.parse(execution.startedAt),
      executionIndex: 0,
      executionTime: 1,
      executionStatus: 'success',
      source: [],
      data: { main: [...Array.from({ length: output }, () => []), [{ json: receivedBy(seen, params) }]] },
    });
    this.play(execution);
    return this.webhookAnswer;
  }
}

/** As long as n8n's own, and without a prefix. */
export const recordedKey = `eyJhbGciOiJIUzI1NiJ9.${'recorded'.repeat(28)}.c2lnbmF0dXJl`;
const noTrigger =
  'Workflow cannot be activated because it has no trigger node. At least one trigger, webhook, or polling node is required.';

/** What a call needs. */
function rightOf(call: string): string {
  const [, method = '', resource = '', id, action] =
    /^(\w+) \/(workflow|execution)s(?:\/([^/]+))?(?:\/([\w-]+))?$/.exec(call) ?? [];
  const byMethod: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };
  const reads = id === undefined ? 'list' : 'read';
  const word = method === 'GET' ? reads : (action ?? byMethod[method] ?? reads);
  return `${resource}:${word.endsWith('archive') ? 'delete' : word}`;
}

function isTrigger({ type }: JsonObject): boolean {
  return typeof type === 'string' && /webhook$|trigger$/i.test(type);
}

function limitOf(query: URLSearchParams): number {
  return Math.min(Number(query.get('limit') ?? 100), 250);
}
