// The definition that an execution ran can be read, whatever has become of the workflow since.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { assertRefused, call, createDeployed, execute, follow, textAt } from '../calls.ts';
import { edge, end, start } from './callingDefinitions.ts';
import { useCallingService } from './callingService.ts';

const saying = (text: string): JsonObject => ({
  nodes: [start, end(`"${text}"`)],
  edges: [edge('start', 'end')],
  settings: { purpose: text },
});

describe('The definition that an execution ran', () => {
  const { service, server, line, run, askRetry } = useCallingService();

  const ranOf = async (executionId: string): Promise<JsonObject> => {
    const { status, body, text } = await call(service, 'GET', `/v1/executions/${executionId}/definition`);
    assert.equal(status, 200, text);
    return body;
  };
  const ask = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const answer = await call(service, method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const change = async (workflowId: string, definition: JsonObject): Promise<void> => {
    await ask('PATCH', `/v1/workflows/${workflowId}`, definition);
    await ask('POST', `/v1/workflows/${workflowId}/deploy`);
  };
  const idIn = (triggered: JsonObject): string => textAt(triggered, 'executionIds', 0);

  it('stays when another is deployed, when it is undeployed, and when the workflow is deleted', async () => {
    const workflowId = await createDeployed(service, { name: 'n', ...saying('first') });
    const first = await execute(service, workflowId, {});
    await follow(service, first);
    await change(workflowId, saying('second'));
    const second = await execute(service, workflowId, {});
    await follow(service, second);
    await ask('POST', `/v1/workflows/${workflowId}/undeploy`);
    const told = [
      { workflowId, version: 1, ...saying('first') },
      { workflowId, version: 2, ...saying('second') },
    ];
    assert.deepEqual([await ranOf(first), await ranOf(second)], told);
    assert.equal((await call(service, 'DELETE', `/v1/workflows/${workflowId}`)).status, 204);
    assert.deepEqual([await ranOf(first), await ranOf(second)], told);
  });

  it("is a draft's own text, which has no version", async () => {
    const workflowId = await createDeployed(service, { name: 'n', ...saying('first') });
    const draft = async (body: JsonObject): Promise<JsonObject> => {
      const executionId = idIn(await ask('POST', `/v1/workflows/${workflowId}/draft-executions`, body));
      await follow(service, executionId);
      return ranOf(executionId);
    };
    assert.deepEqual(await draft({ definition: saying('tried') }), {
      workflowId,
      version: null,
      ...saying('tried'),
    });
    assert.deepEqual(await draft({}), { workflowId, version: null, ...saying('first') });
  });

  it('of a retry is the one that failed, or the deployed one', async () => {
    server.fail('/b');
    const { executionId, workflowId } = await run(line());
    await change(workflowId, { ...line(), settings: { purpose: 'second' } });
    const retried = async (body: JsonObject): Promise<JsonValue[]> => {
      const { version, settings } = await ranOf(idIn((await askRetry(executionId, body)).body));
      return [version ?? null, settings ?? null];
    };
    assert.deepEqual(await retried({}), [1, {}]);
    assert.deepEqual(await retried({ definition: 'deployed' }), [2, { purpose: 'second' }]);
  });

  it('keeps the digits of its numbers and unknown members', async () => {
    const body = '{"name":"n","nodes":[{"id":"start","type":"trigger","other":12345678901234567890.10}]}';
    const workflowId = textAt((await call(service, 'POST', '/v1/workflows', body)).body, 'id');
    await ask('POST', `/v1/workflows/${workflowId}/deploy`);
    const executionId = await execute(service, workflowId, {});
    const { text } = await call(service, 'GET', `/v1/executions/${executionId}/definition`);
    assert.match(text, /"other":12345678901234567890\.10\}/);
  });

  it('is refused with an error of its own if it is not stored', async () => {
    assertRefused(
      await call(service, 'GET', '/v1/executions/exec_none/definition'),
      404,
      'execution_not_found',
    );
  });
});
