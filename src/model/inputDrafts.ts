// Why: the text of each input document, kept between sessions within bounds, what it starts with and what it parses to.
import * as v from 'valibot';
import type { WorkflowReading } from '../api/readings.ts';
import { isJsonObject } from '../base/json.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { StatePort } from './ports.ts';
import type { WorkflowTarget } from './targets.ts';

const entryName = 'inputDrafts';
const maximumCount = 50;
/** In UTF-16 units, of both texts together. */
const maximumLength = 64 * 1024;

const DraftSchema = v.object({
  connectionId: v.string(),
  workflowId: v.string(),
  /** What the user typed. */
  text: v.exactOptional(v.string()),
  /** What was executed last. */
  lastInput: v.exactOptional(v.string()),
});
type Draft = v.InferOutput<typeof DraftSchema>;

/** Texts per connection and workflow; the 50 last used, each up to 64 KiB; what is larger lives as long as the window. */
export interface InputDrafts {
  /** The user's text, else the last input used, else undefined: the caller then takes defaultInputText. */
  read(target: WorkflowTarget): string | undefined;
  save(target: WorkflowTarget, text: string): Promise<void>;
  /** Remembers what was executed. */
  recordInput(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets one, for a deleted workflow or to start over. */
  forget(target: WorkflowTarget): Promise<void>;
}

/** Drafts in a state port. */
export function createInputDrafts(state: StatePort): InputDrafts {
  const large = new Map<string, Draft>();

  const readStored = (): readonly Draft[] => {
    const stored = state.get(entryName);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((item) => {
      const decoded = v.safeParse(DraftSchema, item);
      return decoded.success ? [decoded.output] : [];
    });
  };
  const find = (target: WorkflowTarget): Draft | undefined =>
    large.get(nameOf(target)) ?? readStored().find((draft) => nameOf(draft) === nameOf(target));
  const replace = async (target: WorkflowTarget, draft: Draft | undefined): Promise<void> => {
    const others = readStored().filter((stored) => nameOf(stored) !== nameOf(target));
    large.delete(nameOf(target));
    const isLarge = draft !== undefined && lengthOf(draft) > maximumLength;
    if (isLarge) large.set(nameOf(target), draft);
    const kept = draft === undefined || isLarge ? others : [draft, ...others];
    await state.set(entryName, kept.slice(0, maximumCount));
  };
  const change = ({ connectionId, workflowId }: WorkflowTarget, part: Partial<Draft>): Promise<void> => {
    const target = { connectionId, workflowId };
    return replace(target, { ...find(target), ...part, ...target });
  };

  return Object.freeze<InputDrafts>({
    read(target) {
      const draft = find(target);
      return draft?.text ?? draft?.lastInput;
    },
    save: (target, text) => change(target, { text }),
    recordInput: (target, input) => change(target, { lastInput: `${JSON.stringify(input, null, 2)}\n` }),
    forget: (target) => replace(target, undefined),
  });
}

function nameOf({ connectionId, workflowId }: WorkflowTarget): string {
  return JSON.stringify([connectionId, workflowId]);
}

function lengthOf({ text = '', lastInput = '' }: Draft): number {
  return text.length + lastInput.length;
}

/** "notJson" carries the parser's own message. */
export type ParsedInput =
  | { readonly kind: 'input'; readonly input: JsonObject }
  | { readonly kind: 'notJson'; readonly message: string }
  | { readonly kind: 'notObject' };

/** Parses an input document: exactly one JSON object. */
export function parseInput(text: string): ParsedInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'notJson', message: error instanceof Error ? error.message : String(error) };
  }
  return isJsonObject(value) ? { kind: 'input', input: value } : { kind: 'notObject' };
}

/** The trigger node's JSON Schema of the input; undefined where the record carries none. */
function inputSchemaOf(workflow: WorkflowReading): JsonObject | undefined {
  const { raw } = workflow;
  const nodes = raw['nodes'] ?? (isJsonObject(raw['definition']) ? raw['definition']['nodes'] : undefined);
  if (!isList(nodes)) return undefined;
  const trigger = nodes.find((node) => isJsonObject(node) && node['type'] === 'trigger');
  if (!isJsonObject(trigger)) return undefined;
  const places = [trigger, trigger['config'], trigger['data'], trigger['parameters']];
  return places
    .map((place) => (isJsonObject(place) ? place['inputSchema'] : undefined))
    .find((schema) => isJsonObject(schema));
}

/** The text of a new input document: the schema's example, else its default, else those of its members, else an empty object. */
export function defaultInputText(workflow: WorkflowReading | undefined): string {
  const schema = workflow && inputSchemaOf(workflow);
  return `${JSON.stringify(schema ? exampleOf(schema) : {}, null, 2)}\n`;
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
  return (isList(examples) ? examples[0] : undefined) ?? schema['default'];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
