// The scenarios with a real n8n, once by its Webhook nodes and once by its MCP server. Not part of the usual tests, which need no network.
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../src/api/n8n/client.ts';
import type { ServicePort } from '../../src/api/servicePort.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { n8nDefinition } from '../scenarios/n8nDefinitions.ts';
import { describeScenarios } from '../scenarios/scenarios.ts';
import type { Behavior, Subject } from '../scenarios/subject.ts';
import { installN8n } from './install.ts';
import { type RealN8n, startRealN8n } from './realN8n.ts';

let n8n: RealN8n;

before(async function () {
  this.timeout(30 * 60_000);
  await installN8n();
  n8n = await startRealN8n();
});
after(() => n8n.stop());

function subjectOf(token: () => string | undefined, definitionOf: Subject['definitionOf']): Subject {
  const loader = new HttpLoader(() => ({ environment: {} }));
  const connect = (key: string): ServicePort =>
    createN8nClient({
      http: loader.load,
      baseUrl: n8n.address,
      key: () => Promise.resolve(key),
      mcpToken: () => Promise.resolve(token()),
      logger: silentLogger,
      clock,
    });
  const client = connect(n8n.key);
  return {
    client,
    clock,
    connectWithout: () => connect('unknown'),
    definitionOf,
    close() {
      client.dispose();
      loader.dispose();
      return Promise.resolve();
    },
  };
}

const forMcp = (behavior: Behavior, name: string) => ({
  ...n8nDefinition(behavior, name),
  settings: { executionOrder: 'v1', availableInMCP: true },
});

describeScenarios('a real n8n, by its webhooks', () =>
  Promise.resolve(subjectOf(() => undefined, n8nDefinition)),
);
describeScenarios('a real n8n, by its MCP server', () =>
  Promise.resolve(subjectOf(() => n8n.mcpToken, forMcp)),
);
