import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** Parses an input document. Returns undefined when it isn't exactly one JSON object. */
export function parseInput(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Returns the nodes that are executed: the deployed ones if the service reports them, or else those of the draft. */
function nodesOf({ raw, deployedDefinition }: Workflow): readonly JsonValue[] {
  const record = deployedDefinition ?? raw;
  const places = [record, ...Object.values(record)];
  return places.map((place) => (isJsonObject(place) ? place['nodes'] : undefined)).find(isJsonArray) ?? [];
}

/** Returns the JSON Schema that the trigger node declares for the input, if any. */
export function inputSchemaOf(workflow: Workflow): JsonObject | undefined {
  const nodes = nodesOf(workflow);
  const trigger = nodes.find((node) => isJsonObject(node) && node['type'] === 'trigger');
  if (!isJsonObject(trigger)) return undefined;
  const places = [trigger, trigger['config'], trigger['data'], trigger['parameters']];
  return places
    .map((place) => (isJsonObject(place) ? place['inputSchema'] : undefined))
    .find((schema) => isJsonObject(schema));
}

/** Returns the text of an input for a document or a file. */
export function renderInput(input: JsonObject): string {
  return `${stringifyJson(input, 2)}\n`;
}

/** Returns the text of a new input document: the schema's example, else its default, else those of its members, else an empty object. */
export function defaultInputText(workflow: Workflow | undefined): string {
  const schema = workflow && inputSchemaOf(workflow);
  return renderInput(schema ? exampleOf(schema) : {});
}

function exampleOf(schema: JsonObject): JsonObject {
  const whole = suggestionOf(schema);
  if (isJsonObject(whole)) return whole;
  const members = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const suggested = Object.entries(members).flatMap(([name, member]) => {
    const suggestion = isJsonObject(member) ? suggestionOf(member) : undefined;
    return suggestion === undefined ? [] : [[name, suggestion] as const];
  });
  return Object.fromEntries(suggested);
}

function suggestionOf(schema: JsonObject): JsonValue | undefined {
  const { examples } = schema;
  return (isJsonArray(examples) ? examples[0] : undefined) ?? schema['default'];
}
