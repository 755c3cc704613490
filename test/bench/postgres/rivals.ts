// The same little work twice: a workflow of five nodes for the service, and one of five steps for bare OpenWorkflow.
import jsonata from 'jsonata';
import { OpenWorkflow } from 'openworkflow';
import { BackendPostgres } from 'openworkflow/postgres';
import { silentLogger } from '../../../src/base/logger.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { Sandbox } from '../../../src/service/sandbox/sandbox.ts';
import { readDatabaseUrl } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';

export const kinds = ['bare OpenWorkflow', 'the service'] as const;
export type Kind = (typeof kinds)[number];

/** Where bare OpenWorkflow has its tables, on the same database. */
export const bareSchema = 'bare';
export const bareWorkflow = 'five-steps';
/** The service's default. */
const concurrency = 64;
const connections = 10;

const total = '{ "total": $sum(input.lines.(price * quantity)), "who": $uppercase(input.who) }';
const isLarge = 'nodes.sum.total > 10';
const answer = '{ "total": nodes.sum.total, "said": nodes.say }';

export const input = { who: 'Ada', lines: [1, 2, 3].map((price) => ({ price, quantity: 2 })) };

export const definition = {
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'sum', type: 'transform', config: { expression: total } },
    { id: 'large', type: 'condition', config: { expression: isLarge } },
    { id: 'say', type: 'log', config: { message: 'The total is {{ nodes.sum.total }}.' } },
    { id: 'answer', type: 'output', config: { expression: answer } },
  ],
  edges: [
    { source: 'start', target: 'sum' },
    { source: 'sum', target: 'large' },
    { source: 'large', target: 'say', branch: 'true' },
    { source: 'say', target: 'answer' },
  ],
  settings: {},
};

/** Takes work until it's paused. */
export interface Runner {
  begin(): Promise<void>;
  pause(): Promise<void>;
}

export const runners: Readonly<Record<Kind, (url: string) => Promise<Runner>>> = {
  'bare OpenWorkflow': async (url) => {
    const backend = await BackendPostgres.connect(url, { schema: bareSchema, runMigrations: false });
    const client = new OpenWorkflow({ backend });
    const evaluate = async (expression: string, scope: object): Promise<unknown> =>
      jsonata(expression).evaluate(scope);
    client.defineWorkflow<typeof input, unknown>({ name: bareWorkflow }, async ({ input: given, step }) => {
      const start = await step.run({ name: 'start' }, () => given);
      const sum = await step.run({ name: 'sum' }, () => evaluate(total, { input: start }));
      await step.run({ name: 'large' }, () => evaluate(isLarge, { nodes: { sum } }));
      const say = await step.run({ name: 'say' }, () =>
        evaluate('"The total is " & nodes.sum.total & "."', { nodes: { sum } }),
      );
      return step.run({ name: 'answer' }, () => evaluate(answer, { nodes: { sum, say } }));
    });
    const worker = client.newWorker({ concurrency });
    return { begin: () => worker.start(), pause: () => worker.stop() };
  },
  'the service': (url) => {
    const address = readDatabaseUrl(url);
    const store = new PostgresStore({ address, poolSize: connections });
    const engine = new Engine({
      store,
      secrets: new Secrets({ store, logger: silentLogger }),
      sandbox: new Sandbox(),
      logger: silentLogger,
      concurrency,
    });
    let began: Promise<void> | undefined;
    return Promise.resolve({
      begin: () => (began ??= engine.begin()),
      // It only waits for news: bare OpenWorkflow would go on asking for each of its slots.
      pause: () => Promise.resolve(),
    });
  },
};
