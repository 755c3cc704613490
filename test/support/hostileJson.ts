// Any JSON that a service may send: values and names that readers look for, and those that trip code up.
import fc from 'fast-check';
import type { JsonValue } from '../../src/base/json.ts';

/** How deep a value may be, in objects and lists. */
const deepest = 200;

const names = [
  ...['id', 'workflowId', 'executionId', 'eventId', 'eventIds', 'events', 'executionIds', 'runId', '_id'],
  ...['name', 'title', 'label', 'status', 'state', 'conclusion', 'finished', 'success', 'error', 'errors'],
  ...['message', 'detail', 'code', 'type', 'level', 'data', 'result', 'items', 'payload', 'workflow'],
  ...['logs', 'nodes', 'edges', 'children', 'content', 'input', 'output', 'outputType', 'outputs', 'total'],
  ...['nextCursor', 'next', 'pagination', 'page', 'meta', 'totalPages', 'offset', 'has_more', 'hasMore'],
  ...['startedAt', 'completedAt', 'createdAt', 'timestamp', 'durationMs', 'elapsedTime', 'duration'],
  ...['nodeId', 'nodeName', 'sequence', 'attempt', 'isDeployed', 'deployedAt', 'activeVersion', 'trigger'],
  ...['retryAfter', 'retryAfterMs', 'continuation_token', 'new_logs', 'traceSpans', '$cut', 'preview'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then', 'length', ''],
];

/** JSON text: more than a value can say, such as 1e999 or a name that stands twice. */
const leafText = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '-0', '1e999', '-1e999', '1e308', '5e-324', '1.5'),
  fc.constantFrom('9007199254740993', '123456789012345678901234567890', '1e10', '-1', '253402300800000'),
  fc.constantFrom('"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u202e"', '""', '"   "', '"NaN"', '"{"'),
  fc.constantFrom(
    '"2026-01-05T10:00:00.000Z"',
    '"99999999999999999999"',
    '"running"',
    '"completed"',
    '"{\\"a\\":[]}"',
  ),
  fc.constantFrom(
    '"https://other.example/x"',
    '"//"',
    '"http://"',
    '"?"',
    '"?page=2"',
    '"/v1"',
    '"%E0%A4%A"',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(5, 300, 70_000).map((length) => JSON.stringify('x'.repeat(length))),
  fc.double().map((number) => JSON.stringify(number)),
);

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.string() },
);

const { value: wideText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    { weight: 3, arbitrary: leafText },
    {
      weight: 5,
      arbitrary: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 8 })
        .map((members) => `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`),
    },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 6 }).map((items) => `[${items.join(',')}]`) },
  ),
}));

/** The value inside as many objects and lists as are allowed. */
const deepText = fc
  .tuple(fc.array(fc.option(name, { nil: undefined }), { minLength: 20, maxLength: deepest - 7 }), wideText)
  .map(([wrappings, inner]) =>
    wrappings.reduce<string>(
      (text, key) => (key === undefined ? `[${text}]` : `{${JSON.stringify(key)}:${text}}`),
      inner,
    ),
  );

/** JSON text, at most 200 deep. */
export const hostileJsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: wideText },
  { weight: 1, arbitrary: deepText },
);

export const hostileJson: fc.Arbitrary<JsonValue> = hostileJsonText.map(
  (text) => JSON.parse(text) as JsonValue,
);
