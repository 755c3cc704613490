// The tools for language models, over the model that a test has.
import { type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { redact } from '../../src/base/masking.ts';
import { systemClock } from '../../src/base/time.ts';
import { checkText } from '../../src/definition/checkText.ts';
import { languageTools, type ToolName } from '../../src/languageTools/languageTools.ts';
import type { ToolPorts } from '../../src/languageTools/toolPorts.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../src/model/comparison/fieldPatterns.ts';
import { describeError } from '../../src/ui/words/describeError.ts';

type ModelPorts = Omit<ToolPorts, 'checker' | 'clock' | 'describe' | 'hide' | 'ignoredFields'>;

export interface ToolModel extends ModelPorts {
  readonly connectionId: string;
}

export function createToolPorts(model: ModelPorts): ToolPorts {
  const { patterns } = parseFieldPatterns(defaultIgnoredFields);
  return {
    connections: model.connections,
    services: model.services,
    workflows: model.workflows,
    executions: model.executions,
    following: model.following,
    searches: model.searches,
    actions: model.actions,
    checker: { checkText: (text, rules) => Promise.resolve(checkText(text, rules)) },
    clock: systemClock,
    ignoredFields: () => patterns,
    hide: (text) => redact(text),
    describe: (error) => describeError(error).message,
  };
}

/** What a tool said: its data, and our words around it. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: JsonValue | undefined;
  readonly isError: boolean;
}

export function readAnswer(text: string, isError: boolean): ToolAnswer {
  const [, , data = ''] = /^<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>$/m.exec(text) ?? [];
  return { text, isError, data: data === '' ? undefined : parseJson(data) };
}

export async function callTool(
  model: ToolModel,
  name: ToolName,
  input: JsonObject,
  signal = new AbortController().signal,
): Promise<ToolAnswer> {
  const { text, isError } = await languageTools[name].invoke(input, {
    ports: createToolPorts(model),
    connectionId: model.connectionId,
    signal,
    onProgress: () => undefined,
  });
  return readAnswer(text, isError);
}
