// Whatever JSON a service sends, a reader answers with a record, with nothing, or with a typed error.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { classify } from '../../src/api/errors/classify.ts';
import {
  readMaximumRequests,
  readRemaining,
  retryAfterOrDefault,
} from '../../src/api/errors/rateLimitHeaders.ts';
import {
  decodeDeployment,
  decodeWorkflow,
  hasDefinition,
  withoutDeployed,
} from '../../src/api/decode/workflow.ts';
import {
  decodeExecution,
  decodeOutput,
  decodeRunError,
  decodeTriggered,
} from '../../src/api/decode/execution.ts';
import { decodeNodeLog, logRows, orderNodeLogs } from '../../src/api/decode/nodeLog.ts';
import { listNames, reportsFailure, unwrapList } from '../../src/api/decode/envelope.ts';
import { readNextCursor } from '../../src/api/decode/nextPage.ts';
import { decodeStatus } from '../../src/api/decode/status.ts';
import { parseTime } from '../../src/api/decode/fields.ts';
import { isAbortError } from '../../src/base/async.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { hostileJson, hostileJsonText } from '../support/hostileJson.ts';
import { tries } from '../support/properties.ts';
import { createScriptedClient, type ScriptedClient } from '../support/scriptedClient.ts';
import { decodeApiKey } from '../../src/api/decode/settings.ts';
import { decodePortalEvent, decodeStreamedPortalEvent } from '../../src/api/decode/portalEvent.ts';

const now = Date.UTC(2026, 0, 5);
const url = 'https://service.example/v1/workflows';
const header = fc.oneof(
  fc.constant(null),
  fc.constantFrom(
    '/executions/%E0%A4%A',
    '/workflows/%E0%A4%A',
    '/executions/x',
    '<https://service.example/v1/x>; rel="next"',
    '1e99',
  ),
  fc.constantFrom(
    '0',
    '-1',
    '4000000000',
    '99999999999999999999',
    'Wed, 21 Oct 2099 07:28:00 GMT',
    'r=;t=;q=',
  ),
  fc.string({ maxLength: 40 }),
);

const readers: Readonly<Record<string, (value: JsonValue, told: string | null) => unknown>> = {
  workflow: (value) => decodeWorkflow(value),
  deployment: (value) =>
    isJsonObject(value) && [decodeDeployment(value), hasDefinition(value), withoutDeployed(value)],
  execution: (value) => decodeExecution(value),
  'run error': (value) => decodeRunError(value),
  trigger: (value, told) =>
    decodeTriggered(value, { workflowId: 'w', runIdHeader: null, locationHeader: told, dateHeader: told }),
  output: (value) => decodeOutput(value),
  'node logs': (value) =>
    orderNodeLogs((logRows(value) ?? []).flatMap((row, position) => decodeNodeLog(row, position) ?? [])),
  'node log': (value) => decodeNodeLog(value, 0),
  'portal event': (value) => decodePortalEvent(value),
  'streamed portal event': (value) => decodeStreamedPortalEvent(value),
  'API key': (value) => decodeApiKey(value),
  status: (value) => isJsonObject(value) && decodeStatus(value, false),
  time: (value) => parseTime(value)?.toISOString(),
  list: (value) => [unwrapList(value, listNames.workflows), reportsFailure(value)],
  'next page': (value, told) => readNextCursor(value, 1, { url, cursor: undefined, linkHeader: told }),
  'wait time': (value, told) => {
    const headers = { get: () => told };
    const wait = retryAfterOrDefault({ headers, body: value }, now);
    assert.ok(wait >= 1000 && Number.isFinite(wait), String(wait));
    return [readMaximumRequests(headers), readRemaining(headers)];
  },
};

describe('Readers, given any JSON', () => {
  for (const [name, read] of Object.entries(readers))
    it(`of a ${name} answer or find nothing`, () => {
      fc.assert(
        fc.property(hostileJson, header, (value, told) => {
          read(value, told);
        }),
        tries(70),
      );
      assert.ok(!('polluted' in {}));
    });

  it('of an error find its kind and a text of bounded length, without the key', () => {
    const secret = 'svc_sk_quoted0123456789';
    const statuses = fc.constantFrom(
      200,
      400,
      401,
      403,
      404,
      408,
      409,
      410,
      413,
      422,
      429,
      500,
      502,
      503,
      507,
    );
    fc.assert(
      fc.property(statuses, hostileJsonText, header, fc.boolean(), (status, json, told, isQuoted) => {
        const text = isQuoted ? json.replaceAll('xxxx', secret) : json;
        const answer = {
          status,
          statusText: told ?? '',
          text,
          body: JSON.parse(text) as JsonValue,
          headers: { get: () => told },
        };
        const error = classify(answer, { now, mayBeNotDeployed: false, secrets: [secret] });
        assert.ok(isServiceError(error));
        assert.ok(error.message.length <= 4000, String(error.message.length));
        assert.ok(!JSON.stringify([error.message, error.code, error.reason]).includes(secret));
      }),
      tries(100),
    );
  });
});

const calls: Readonly<Record<string, (scripted: ScriptedClient) => Promise<unknown>>> = {
  'list of workflows': ({ client }) => client.workflows.list({}),
  workflow: ({ client }) => client.workflows.get('w'),
  'created workflow': ({ client }) => client.workflows.create({ name: 'N' }),
  'updated workflow': ({ client }) => client.workflows.update('w', { name: 'N' }),
  'imported workflow': ({ client }) => client.workflows.import({ name: 'N' }),
  'duplicated workflow': ({ client }) => client.workflows.duplicate('w', undefined),
  'deployed workflow': ({ client }) => client.workflows.deploy('w'),
  'executed workflow': ({ client }) => client.workflows.execute('w', {}),
  'list of executions': ({ client }) => client.executions.list({ workflowId: 'w' }),
  execution: ({ client }) => client.executions.get('e'),
  output: ({ client }) => client.executions.output('e'),
  'node logs': ({ client }) => client.executions.logs('e', {}),
  'list of portal events': ({ client }) => client.portalEvents.list({}),
};

describe('Calls, answered with any JSON', () => {
  for (const [name, call] of Object.entries(calls))
    it(`for a ${name} give a reading or a typed error, in a bounded number of requests`, async () => {
      await fc.assert(
        fc.asyncProperty(hostileJsonText, header, async (text, told) => {
          const headers = {
            'content-type': 'application/json',
            ...(isHeader(told) && { link: told, location: told }),
          };
          const scripted = createScriptedClient(() => ({ body: text, headers }));
          try {
            await call(scripted);
          } catch (error) {
            if (!isServiceError(error) || isAbortError(error)) throw error;
          } finally {
            scripted.client.dispose();
          }
          assert.ok(scripted.requests.length <= 60, String(scripted.requests.length));
        }),
        tries(20),
      );
    });
});

/** True for what a header can hold. */
function isHeader(text: string | null): text is string {
  return text !== null && /^[\x20-\x7e]*$/.test(text);
}
