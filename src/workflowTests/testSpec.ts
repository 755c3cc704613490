// What a test says, once it has the shape that its schema asks for.
import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { endedStatuses } from '../domain/status.ts';
import { HttpAnswers } from '../protocol/httpAnswers.ts';
import { members } from '../protocol/members.ts';

const object = v.custom<JsonObject>(isJsonObject);
const value = v.custom<JsonValue>((given) => given !== undefined);
const expectedNode = v.object({
  status: v.optional(v.picklist([...endedStatuses, 'skipped'])),
  output: v.optional(value),
  runs: v.optional(v.number()),
  requests: v.optional(v.array(object)),
});

const Spec = v.object({
  name: v.string(),
  input: v.optional(object),
  preset: v.optional(v.string()),
  pinned: v.optional(object, {}),
  answers: v.optional(members(HttpAnswers), {}),
  expected: v.object({
    status: v.picklist(endedStatuses),
    output: v.optional(value),
    /** A text is its message. */
    error: v.optional(v.union([v.string(), object])),
    nodes: v.optional(members(expectedNode), {}),
  }),
  match: v.optional(v.picklist(['exact', 'partial']), 'exact'),
  ignore: v.optional(v.array(v.string()), []),
  each: v.optional(v.array(v.object({ name: v.string(), input: object })), []),
  timeoutMs: v.optional(v.number(), 60_000),
});
export type TestSpec = v.InferOutput<typeof Spec>;
export type ExpectedNode = v.InferOutput<typeof expectedNode>;

/** Returns undefined for what the schema of test files refuses. */
export function decodeTest(test: JsonValue): TestSpec | undefined {
  const decoded = v.safeParse(Spec, test);
  return decoded.success ? decoded.output : undefined;
}

/** The nodes that a test names, each with its path in the test. */
export function namedNodes({ pinned, answers, expected }: TestSpec): readonly NamedNode[] {
  const namesIn = (named: object, kind: NamedNode['kind'], above: readonly string[]) =>
    Object.keys(named).map((nodeId): NamedNode => ({ nodeId, kind, path: [...above, nodeId] }));
  return [
    ...namesIn(pinned, 'pin', ['pinned']),
    ...namesIn(answers, 'answers', ['answers']),
    ...namesIn(expected.nodes, 'expectation', ['expected', 'nodes']),
  ];
}

export interface NamedNode {
  readonly nodeId: string;
  readonly kind: 'pin' | 'answers' | 'expectation';
  readonly path: readonly string[];
}
