// The description is committed and served, so it must be what the schemas and the table say, and a valid OpenAPI document.
import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import committed from '../../../media/openapi.json' with { type: 'json' };
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../src/base/json.ts';
import { createOpenApiDocument } from '../../../src/service/openapi/document.ts';
import { aliases, healthOperation, operations } from '../../../src/protocol/operations.ts';
import { assertDescribed } from '../conformance.ts';
import { at, textAt } from '../calls.ts';
import { createTestService } from '../../support/service.ts';

const document: JsonObject = createOpenApiDocument();

function memberNames(...path: readonly string[]): readonly string[] {
  const found = at(document, ...path);
  return isJsonObject(found) ? Object.keys(found) : [];
}

function* references(value: JsonValue | undefined): Generator<string> {
  if (isJsonObject(value) && typeof value['$ref'] === 'string') yield value['$ref'];
  const parts = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const inner of parts) yield* references(inner);
}

describe('the OpenAPI description', () => {
  it('equals the committed file; "npm run openapi" writes it anew', () =>
    assert.deepEqual(parseJson(JSON.stringify(document)), committed));

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(committed));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  it('has no missing and no unused references', () => {
    const used = new Set(references(document));
    for (const reference of used)
      assert.notEqual(at(document, ...reference.split('/').slice(1)), undefined, reference);
    for (const kind of ['schemas', 'responses', 'headers'])
      for (const name of memberNames('components', kind))
        assert.ok(used.has(`#/components/${kind}/${name}`), name);
  });

  it('has exactly the operations of the table, under their names', () => {
    const described = memberNames('paths').flatMap((path) =>
      memberNames('paths', path).map(
        (method) =>
          `${method.toUpperCase()} ${path} ${textAt(document, 'paths', path, method, 'operationId')}`,
      ),
    );
    const table = Object.entries({ ...operations, ...aliases, getHealth: healthOperation });
    assert.deepEqual(
      described.sort(),
      table.map(([name, { method, path }]) => `${method} ${path} ${name}`).sort(),
    );
  });

  it('lets the body of a deployment be empty, an empty object, or missing', () => {
    for (const path of ['/workflows/{workflowId}/deploy', '/workflows/{workflowId}/undeploy']) {
      const body = at(document, 'paths', path, 'post', 'requestBody');
      assert.equal(at(body, 'required'), false, path);
      const schema = { $ref: '#/components/schemas/EmptyRequest' };
      assert.deepEqual(at(body, 'content', 'application/json', 'schema'), schema, path);
    }
  });

  it('is served at the root without a key, to this machine only', async () => {
    const service = await createTestService();
    try {
      const answer = await service.app.request('/openapi.json');
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
      assert.deepEqual(await answer.json(), committed);
      const foreign = await service.app.request('http://evil.example/openapi.json');
      assert.equal(foreign.status, 403);
    } finally {
      await service.dispose();
    }
  });

  it('is violated by a response that it does not describe', async () => {
    const service = await createTestService();
    try {
      const headers = { Authorization: `Bearer ${service.key}` };
      const good = await service.app.request('/v1/workflows', { headers });
      const judge = (status: number, text: string): void => {
        const response = new Response(null, { status, headers: good.headers });
        assertDescribed('GET', '/v1/workflows?limit=1', response, text);
      };
      judge(200, await good.text());
      assert.throws(() => judge(200, '{"data":[{"id":"w"}],"nextCursor":null}'), /data/);
      assert.throws(() => judge(200, '{"data":[]}'), /nextCursor/);
      assert.throws(() => judge(409, '{}'), /is not described/);
    } finally {
      await service.dispose();
    }
  });
});
