// What a tool is: what it takes, what it says of itself, and what it does.
import * as v from 'valibot';
import { isAbortError } from '../base/async.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Hide } from '../base/masking.ts';
import { NotDeployed, nextStep, ToolRefusal } from './toolErrors.ts';
import type { RunningCall, ToolCall } from './toolPorts.ts';
import { hideHost, renderToolText, type ToolData } from './toolText.ts';

/** As MCP hints at them. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

interface Declaration<T> {
  /** For people, in title case. */
  readonly title: string;
  /** For people, in one sentence. */
  readonly summary: string;
  readonly icon: `$(${string})`;
  /** For language models. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: v.GenericSchema<unknown, T>;
}

interface Definition<T> extends Declaration<T> {
  readonly run: (input: T, call: RunningCall) => Promise<ToolData>;
}

interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface LanguageTool<T = unknown> extends Declaration<T> {
  /** Never rejects but with the signal's reason. */
  readonly invoke: (input: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** Clients of MCP give up after a minute. */
export const longestWaitMs = 50_000;

export const readOnly: ToolAnnotations = { readOnlyHint: true };

export function defineTool<T>({ run, ...declaration }: Definition<T>): LanguageTool<T> {
  const { input: schema } = declaration;
  return {
    ...declaration,
    invoke: async (input, call) => {
      const { ports, connectionId, signal } = call;
      let hide: Hide = ports.hide;
      try {
        hide = hideHost(ports.hide, ports.connections.get(connectionId).baseUrl);
        const read = v.safeParse(schema, input ?? {}, { abortEarly: true });
        if (!read.success) throw new ToolRefusal(describeIssue(read.issues[0]));
        return { text: renderToolText(await run(read.output, { ...call, hide }), hide), isError: false };
      } catch (error) {
        if (signal.aborted || isAbortError(error)) throw error;
        return { text: renderFailure(error, call, hide), isError: true };
      }
    },
  };
}

function renderFailure(error: unknown, { ports }: ToolCall, hide: Hide): string {
  if (error instanceof ToolRefusal) return hide(error.message).slice(0, longestRefusal);
  const next = nextStep(error);
  const [cause, saved] = error instanceof NotDeployed ? [error.cause, error.saved] : [error, {}];
  return renderToolText(
    {
      selected: { value: { error: ports.describe(cause), ...saved }, path: [], from: 0 },
      howToRead: '',
      notes: next === undefined ? [] : [next],
    },
    hide,
  );
}

/** In UTF-16 units; it may repeat what was given. */
const longestRefusal = 2000;

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return `The input is wrong: ${path === null ? '' : `"${path}" `}${issue.message}. Correct it and call again.`;
}

/** The whole of a value. */
export const whole = (value: JsonValue): ToolData['selected'] => ({ value, path: [], from: 0 });

const words = (text: string) => `must be ${text}`;

export const id = v.pipe(
  v.string(words('text')),
  v.nonEmpty('must not be empty'),
  v.maxLength(500, 'must have at most 500 characters'),
);
export const text = v.pipe(v.string(words('text')), v.maxLength(500, 'must have at most 500 characters'));
export const object = v.custom<JsonObject>(isJsonObject, words('an object'));
export const flag = v.boolean(words('true or false'));
export const limit = (maximum: number) =>
  v.pipe(
    v.number(words('a number')),
    v.integer(words('a whole number')),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );
export const described = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description));
/** Refuses members that it doesn't know, so that a misspelt one isn't lost. */
export const members = <T extends v.ObjectEntries>(entries: T) =>
  v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? "isn't known" : expected === 'Object' ? 'must be an object' : 'is missing',
  );
