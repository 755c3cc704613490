// Parameters that several operations have.
import type { JsonObject } from '../../base/json.ts';
import { limits } from '../../protocol/operations.ts';
import { searchedText } from '../../domain/search.ts';
import { executionKinds, executionStatuses } from '../../domain/status.ts';

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export const text: JsonObject = { type: 'string' };
export const limit: Parameter = {
  name: 'limit',
  description: 'How many rows a page has at most.',
  schema: { type: 'integer', minimum: 1, maximum: limits.maximumPageSize, default: limits.pageSize },
};
export const cursor: Parameter = {
  name: 'cursor',
  description: 'The nextCursor of the page before.',
  schema: text,
};
export const ifMatch: Parameter = {
  name: 'If-Match',
  description:
    'The ETag of the workflow when it was read. If the workflow has another one now, it is a conflict.',
  schema: text,
};
export const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  description: 'The id of the last event that a stream sent; the stream continues after it.',
  schema: text,
};
export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  description: 'The same key with the same body returns the same response and triggers nothing again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
export const executionQuery: readonly Parameter[] = [
  { name: 'status', description: 'Only those with this status.', schema: { enum: [...executionStatuses] } },
  {
    name: 'kind',
    description: 'Only those of the deployed definition, or only draft executions.',
    schema: { enum: [...executionKinds] },
  },
  { name: 'eventId', description: 'Only the execution of this event.', schema: text },
  ...['startedAfter', 'startedBefore'].map((name) => ({
    name,
    description: 'A point in time, ISO 8601.',
    schema: { type: 'string', format: 'date-time' },
  })),
  {
    name: 'q',
    description:
      'Only those in whose input, output, error or node runs this text stands, in any case: in texts, and in numbers as they are written in JSON. A page can be short, or empty, and have a nextCursor.',
    schema: { type: 'string', minLength: searchedText.shortest, maxLength: searchedText.longest },
  },
  {
    name: 'minDurationMs',
    description: 'Only those that ended after this many milliseconds or more.',
    schema: { type: 'integer', minimum: 0 },
  },
  { name: 'errorCode', description: 'Only those that failed with this code.', schema: text },
  { name: 'nodeId', description: 'Only those that failed in this node.', schema: text },
  limit,
  cursor,
];
export const portalQuery: readonly Parameter[] = [
  { name: 'type', description: 'Only events of this type.', schema: text },
  { name: 'workflowId', description: 'Only events about this workflow.', schema: text },
];
export const portalAfter: Parameter = {
  name: 'after',
  description: 'Only events after the one with this id, oldest first.',
  schema: text,
};
