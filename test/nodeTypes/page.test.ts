// The page on node types says what the schema says, and each of its examples does on the real service what the page says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { checkDefinition } from '../../src/definition/checkDefinition.ts';
import { nodeTypes } from '../../src/definition/nodeTypes.ts';
import { listAt, runToEnd } from '../service/calls.ts';
import { serve } from '../support/servers.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { fillPage, pagePath, typeOf } from './page.ts';

const page = readFileSync(pagePath, 'utf8');
const sections = page.split(/^(?=## )/m).filter((section) => nodeTypes.includes(typeOf(section)));

interface Block {
  readonly name: string;
  readonly value: JsonValue;
}

/** The blocks of code of a section, by what they are. */
function blocksOf(section: string): readonly Block[] {
  return [...section.matchAll(/^```json (\w+)\n([^]*?)^```/gm)].map(([, name = '', text = '']) => ({
    name,
    value: parseJson(text) ?? assert.fail(text),
  }));
}

const asObject = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : assert.fail(JSON.stringify(value));

describe('the page on node types', () => {
  it('has the tables of the schema: "npm run node-types" writes them', async () => {
    assert.equal(await fillPage(page), page);
  });

  it('has each type, in the same order', () => {
    assert.deepEqual(sections.map(typeOf), nodeTypes);
  });

  describe('whose examples run', () => {
    let service: TestService;
    before(async () => {
      service = await createTestService({ requestsPerMinute: 10_000 });
    });
    after(() => service.dispose());

    for (const section of sections) {
      const [definition, ...cases] = blocksOf(section);
      it(typeOf(section), async () => {
        const { nodes = [], edges = [], ...others } = asObject(definition?.value);
        assert.ok(listAt({ nodes }, 'nodes').some(({ type }) => type === typeOf(section)));
        assert.deepEqual(checkDefinition({ ...others, nodes, edges }).faults, []);
        const server = await serve(({ method = '', url = '' }, response) => {
          const isFound = `${method} ${url}` === 'POST /orders/A-7';
          response.writeHead(isFound ? 200 : 404, { 'Content-Type': 'application/json' });
          response.end(isFound ? '{ "total": 12 }' : '{}');
        });
        const address = `http://127.0.0.1:${server.port}`;
        const text = JSON.stringify(definition?.value).replaceAll('https://api.example.com', address);
        assert.ok(cases.length > 0 && cases.length % 2 === 0);
        for (const [index, { name, value }] of cases.entries()) {
          if (name === 'input') continue;
          const input = asObject(cases[index - 1]?.value);
          const { result } = await runToEnd(service, asObject(parseJson(text)), input);
          if (name === 'output') assert.deepEqual([result['status'], result['output']], ['completed', value]);
          else assert.deepEqual([result['status'], result['error']], ['failed', value]);
        }
        await server.close();
      });
    }
  });
});
