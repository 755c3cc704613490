// The tools for language models by each of their faces.
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import * as v from 'valibot';
import type { JsonObject } from '../../src/base/json.ts';
import type { ToolName } from '../../src/languageTools/languageTools.ts';
import { createToolServer } from '../../src/program/mcp/toolServer.ts';
import { callTool, createToolPorts, readAnswer, type ToolAnswer, type ToolModel } from './toolPorts.ts';

type Call = (name: ToolName, input: JsonObject) => Promise<ToolAnswer>;

export interface ToolFace {
  readonly call: Call;
  /** The data of a result that must be no error. */
  readonly get: <T>(schema: v.GenericSchema<unknown, T>, name: ToolName, input: JsonObject) => Promise<T>;
  readonly close: () => Promise<void>;
}

function createFace(call: Call, close: () => Promise<void>): ToolFace {
  return {
    call,
    close,
    async get(schema, name, input) {
      const { text, data, isError } = await call(name, input);
      assert.ok(!isError, text);
      return v.parse(schema, data);
    },
  };
}

export const toolFaces: Readonly<Record<string, (model: ToolModel) => Promise<ToolFace>>> = {
  'by themselves': (model) =>
    Promise.resolve(
      createFace(
        (name, input) => callTool(model, name, input),
        () => Promise.resolve(),
      ),
    ),
  'by the protocol': async (model) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const ports = createToolPorts(model);
    const { connectionId } = model;
    await createToolServer({ ports, connectionId, allowsChanges: true, version: '1' }).connect(theirs);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(ours);
    const call: Call = async (name, input) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content;
      assert.ok(first?.type === 'text');
      return readAnswer(first.text, isError === true);
    };
    return createFace(call, () => client.close());
  },
};
