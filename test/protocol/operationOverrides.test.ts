// What a user writes about a service decides where a key goes, so each fault is refused in words.
import assert from 'node:assert/strict';
import { readOperationOverrides } from '../../src/protocol/operationOverrides.ts';

describe('the setting "operations"', () => {
  it('takes a method, a path, or both', () => {
    const value = {
      updateWorkflow: { method: 'PUT' },
      listPortalEvents: { path: '/hub/events' },
      getExecution: { method: 'GET', path: '/workflows/{workflowId}/runs/{executionId}' },
      executeWorkflow: { path: '/workflows/{workflowId}/run' },
    };
    assert.deepEqual(readOperationOverrides(value), { overrides: value, problems: [] });
    assert.deepEqual(readOperationOverrides(undefined), { overrides: {}, problems: [] });
  });

  const faults: readonly (readonly [name: string, entry: unknown, words: RegExp])[] = [
    ['runWorkflow', {}, /no such operation; use one of listWorkflows, /],
    ['toString', {}, /no such operation/],
    ['getWorkflow', '/x', /must be an object/],
    ['getWorkflow', { url: '/x' }, /"url"; only method and path/],
    ['getWorkflow', { method: 'DELETE' }, /must be one of GET, POST/],
    ['executeWorkflow', { method: 'GET' }, /must be one of POST, PUT, PATCH, DELETE/],
    ['executeWorkflow', { method: 'post' }, /must be one of/],
    ['getWorkflow', { path: '/workflows' }, /must have \{workflowId\}/],
    ['getWorkflow', { path: '/{workflowId}/{runId}' }, /has \{runId\}, for which there is no value/],
    ['listPortalEvents', { path: '/{workflowId}' }, /no value/],
    ['getWorkflow', { path: '/w/{workflowId' }, /must have/],
    ['listWorkflows', { path: '/w/{' }, /brace/],
    ['listWorkflows', { path: 'https://evil.example/workflows' }, /never on another origin/],
    ['listWorkflows', { path: '//evil.example/workflows' }, /never on another origin/],
    ['listWorkflows', { path: 'workflows' }, /begin with one "\/"/],
    ['listWorkflows', { path: '/\\evil' }, /can't have/],
    ['listWorkflows', { path: '/../admin' }, /segment/],
    ['listWorkflows', { path: '/%2e%2E/admin' }, /segment/],
    ['listWorkflows', { path: '/a/.%2e' }, /segment/],
    ['listWorkflows', { path: '/a?b=c' }, /can't have/],
    ['listWorkflows', { path: 7 }, /begin with one/],
  ];
  for (const [name, entry, words] of faults)
    it(`refuses ${name} ${JSON.stringify(entry)}, and keeps the rest`, () => {
      const { overrides, problems } = readOperationOverrides({
        [name]: entry,
        deployWorkflow: { method: 'PUT' },
      });
      assert.deepEqual(overrides, { deployWorkflow: { method: 'PUT' } });
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.startsWith(`"operations.${name}" is ignored: `));
      assert.match(problems[0] ?? '', words);
    });

  it('refuses what is no object', () => {
    for (const value of [[], 'x', 1]) assert.equal(readOperationOverrides(value).problems.length, 1);
  });
});
