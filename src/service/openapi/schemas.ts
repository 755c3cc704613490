// Converts the Valibot schemas of the wire format to the JSON Schemas of the description.
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../base/json.ts';
import {
  ErrorEnvelopeSchema,
  ExecutionDefinitionSchema,
  ExecutionErrorSchema,
  ExecutionSchema,
  ExecutionSummarySchema,
  HealthSchema,
  NodeLogSchema,
  OutputSchema,
  PortalEventSchema,
  TriggeredSchema,
  WorkflowSchema,
  WorkflowSummarySchema,
} from '../../protocol/records.ts';
import {
  CreateWorkflowRequest,
  DuplicateWorkflowRequest,
  ExecuteDraftRequest,
  ExecuteRequest,
  InboundPortalEventRequest,
  ReplaceWorkflowRequest,
  RetryRequest,
  UpdateWorkflowRequest,
} from '../../protocol/requests.ts';
import { executionStatuses } from '../../domain/status.ts';

const responses = {
  Workflow: WorkflowSchema,
  WorkflowSummary: WorkflowSummarySchema,
  Execution: ExecutionSchema,
  ExecutionSummary: ExecutionSummarySchema,
  ExecutionError: ExecutionErrorSchema,
  ExecutionDefinition: ExecutionDefinitionSchema,
  Output: OutputSchema,
  NodeLog: NodeLogSchema,
  PortalEvent: PortalEventSchema,
  Triggered: TriggeredSchema,
  Error: ErrorEnvelopeSchema,
  Health: HealthSchema,
} as const satisfies Record<string, v.GenericSchema>;

const requests = {
  CreateWorkflowRequest,
  UpdateWorkflowRequest,
  ReplaceWorkflowRequest,
  DuplicateWorkflowRequest,
  ExecuteRequest,
  ExecuteDraftRequest,
  RetryRequest,
  InboundPortalEventRequest,
} as const satisfies Record<string, v.GenericSchema>;

export function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of a page: its rows, and the cursor of the next page, null on the last. */
function listOf(row: string, extra: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    required: ['data', 'nextCursor', ...Object.keys(extra)],
    properties: {
      data: { type: 'array', items: refTo(row) },
      nextCursor: { type: ['string', 'null'], description: 'Opaque; null on the last page.' },
      ...extra,
    },
  };
}

const composed: JsonObject = {
  WorkflowList: listOf('WorkflowSummary'),
  ExecutionList: listOf('ExecutionSummary'),
  NodeLogList: listOf('NodeLog', { executionStatus: { enum: [...executionStatuses] } }),
  PortalEventList: listOf('PortalEvent'),
  ImportWorkflowRequest: {
    description:
      'The workflow in an envelope, optionally with another name; or the exported workflow itself.',
    anyOf: [
      {
        type: 'object',
        required: ['workflow'],
        properties: { workflow: { type: 'object' }, name: { type: 'string', minLength: 1, maxLength: 200 } },
      },
      refTo('CreateWorkflowRequest'),
    ],
  },
  EmptyRequest: { type: 'object', description: 'An empty object; members are ignored.' },
  ReceivedPortalEvent: {
    type: 'object',
    required: ['eventIds', 'status'],
    properties: {
      eventIds: { type: 'array', items: { type: 'string' }, minItems: 1 },
      status: { const: 'received' },
    },
  },
};

/** Converts a schema to plain JSON without `$schema`, which the document declares once. */
function convert(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonObject {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    ignoreActions: ['trim', 'check', 'raw_transform'],
    overrideSchema({ valibotSchema }) {
      if (valibotSchema === ExecutionErrorSchema && valibotSchema !== schema) return refTo('ExecutionError');
      // The items of lists whose length is checked before their items.
      if (valibotSchema.type === 'unknown') return { type: 'object' };
      // The two custom schemas: any JSON value, or any object. Only the first accepts a string.
      if (valibotSchema.type !== 'custom') return undefined;
      return v.is(valibotSchema, 'text') ? {} : { type: 'object' };
    },
  });
  const plain = parseJson(stringifyJson({ ...converted, $schema: undefined }));
  if (!isJsonObject(plain)) throw new TypeError("A schema of the wire isn't a JSON Schema.");
  return plain;
}

/** Returns all schemas of the description by name. */
export function componentSchemas(): JsonObject {
  const entries = [
    ...Object.entries(responses).map(([name, schema]) => [name, convert(schema, 'output')] as const),
    ...Object.entries(requests).map(([name, schema]) => [name, convert(schema, 'input')] as const),
    ...Object.entries(composed),
  ];
  return Object.fromEntries(entries);
}
