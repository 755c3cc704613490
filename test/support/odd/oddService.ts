// A whole fake service in memory, of which a test says what it does otherwise than the contract.
import { type Context, Hono } from 'hono';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import { isOperationName, type OperationName, operations } from '../../../src/protocol/operations.ts';
import { handlers } from './handlers.ts';
import { type OddContext, type OddPage, type OddService, type Refusal, Refused } from './oddContext.ts';
import { OddWorld } from './oddWorld.ts';

const same = (body: JsonValue): JsonValue => body;
const contractRefusal = ({ code, message }: Refusal): JsonValue => ({
  error: { code, message, requestId: 'r' },
});

const contractList = (rows: readonly JsonObject[], { from, isLast }: OddPage): JsonValue => ({
  data: rows,
  nextCursor: isLast ? null : String(from + rows.length),
});

/** Where the asked page begins, by its cursor, its offset or its number, which counts from 1. */
function beginOf(context: Context, pageSize: number, pagedBy: OddService['pagedBy']): number {
  const { cursor, offset, page } = context.req.query();
  if (pagedBy === 'nothing') return 0;
  if (pagedBy === 'offset') return Number(offset ?? '0');
  if (pagedBy === 'page') return (Number(page ?? '1') - 1) * pageSize;
  if (pagedBy === 'pageFromZero') return Number(page ?? '0') * pageSize;
  return Number(cursor ?? offset ?? (Number(page ?? '1') - 1) * pageSize);
}

function placeOf({ places, singles }: OddService, name: OperationName): string | null {
  const own = name === 'getExecution' && singles === 'missing' ? null : places?.[name];
  const { method, path } = operations[name];
  return own === undefined ? `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}` : own;
}

function toOddContext(service: OddService, world: OddWorld, context: Context, text: string): OddContext {
  const { body = same, list = contractList, single = same } = service;
  const json: OddContext['json'] = (value, status = 200) =>
    new Response(JSON.stringify(body(value)), { status, headers: { 'Content-Type': 'application/json' } });
  const sent = parseJson(text);
  return {
    service,
    world,
    context,
    json,
    sent: isJsonObject(sent) ? sent : {},
    list(rows) {
      const { pageSize = Math.max(1, rows.length) } = service;
      const from = beginOf(context, pageSize, service.pagedBy);
      const isLast = from + pageSize >= rows.length;
      return json(list(rows.slice(from, from + pageSize), { from, isLast, total: rows.length }));
    },
    single: (record, status = 200) => json(single(record), status),
  };
}

/** The service as an app, below /v1. */
export function createOddApp(service: OddService): (url: string, init: RequestInit) => Promise<Response> {
  // The list is looked at once before somebody looks at one of its executions.
  const world = new OddWorld(service.records, service.singles === undefined ? 0 : -1);
  const app = new Hono();
  const { refusal = contractRefusal, body = same } = service;
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('Date', new Date(world.now).toUTCString());
  });
  for (const [name, handler] of Object.entries(handlers)) {
    const [method, path] = (isOperationName(name) ? placeOf(service, name) : null)?.split(' ') ?? [];
    if (method === undefined || path === undefined) continue;
    app.on(method, `/v1${path}`, async (context) =>
      handler(toOddContext(service, world, context, await context.req.text())),
    );
  }
  app.notFound((context) => service.routeMiss?.(context) ?? context.html('<h1>404</h1>', 404));
  app.onError((error, context) => {
    if (!(error instanceof Refused)) throw error;
    return context.json(body(refusal(error.refusal)), error.refusal.status);
  });
  return async (url, init) => app.request(url, init);
}
