// What every tool says of itself costs a model little, and is what people were promised.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { inputSchemaOf } from '../../src/languageTools/inputSchema.ts';
import { languageTools } from '../../src/languageTools/languageTools.ts';

const described = Object.entries(languageTools).map(([name, tool]) => ({
  name,
  description: tool.description,
  inputSchema: inputSchemaOf(tool),
  members: v.parse(v.record(v.string(), v.looseObject({})), inputSchemaOf(tool)['properties']),
  annotations: tool.annotations,
}));

describe('the tools for language models', () => {
  it('are these nine, of which three change something', () => {
    const inputs = described.map(({ name, members, annotations }) => [
      `${name}(${Object.keys(members).join(', ')})`,
      annotations.readOnlyHint,
    ]);
    assert.deepEqual(inputs, [
      ['listWorkflows(search, limit)', true],
      ['getDefinition(workflowId, path)', true],
      ['checkDefinition(definition, workflowId)', true],
      ['listExecutions(workflowId, status, search, limit)', true],
      ['getExecution(executionId, nodeId, iteration, path)', true],
      ['explainFailure(executionId)', true],
      ['executeWorkflow(workflowId, input, definition, pinned, until, wait)', false],
      ['retryExecution(executionId, fromNodeId, definition)', false],
      ['saveDefinition(workflowId, definition, basedOnVersion, deploy)', false],
    ]);
  });

  it('take at most 6 kB together', () => {
    const text = JSON.stringify(
      described.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    assert.ok(Buffer.byteLength(text) <= 6000, `${Buffer.byteLength(text)} bytes`);
  });

  it('have schemas that name each member by its type', () => {
    for (const { members } of described)
      for (const member of Object.values(members))
        assert.ok('type' in member || 'anyOf' in member || 'enum' in member);
  });
});
