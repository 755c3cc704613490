// The local service behind a socket, for the scenarios.
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { listen } from '../../src/service/process/listen.ts';
import { createTestService } from '../support/service.ts';
import type { Behavior, Subject } from './subject.ts';

const lastNodes = {
  answers: { id: 'answer', name: 'Answer', type: 'output', config: { expression: 'input.message' } },
  fails: { id: 'stop', name: 'Stop', type: 'fail', config: { message: 'No stock.' } },
  waits: { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 60_000 } },
} as const satisfies Record<Behavior, object>;

export async function openService(): Promise<Subject> {
  const service = await createTestService({ requestsPerMinute: 1000 });
  const listener = await listen(service.app, 0);
  const loader = new HttpLoader(() => ({ environment: {} }));
  const connect = (key: string): ServicePort =>
    createClient({
      http: loader.load,
      baseUrl: `http://127.0.0.1:${listener.port}/v1`,
      key: () => Promise.resolve(key),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock }),
      logger: silentLogger,
      clock,
    });
  const client = connect(service.key);
  return {
    client,
    clock,
    connectWithout: () => connect(['svc', 'sk', 'unknown'.repeat(4)].join('_')),
    definitionOf(behavior, name) {
      const last = lastNodes[behavior];
      return {
        name,
        nodes: [{ id: 'start', name: 'Input', type: 'trigger' }, last],
        edges: [{ source: 'start', target: last.id }],
      };
    },
    async close() {
      client.dispose();
      loader.dispose();
      await listener.close();
      await service.dispose();
    },
  };
}
