// Schemas of the records that the service sends, with types inferred from them (contract section 2).
import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { keyExpirations } from '../domain/apiKey.ts';
import { logLevels } from '../domain/nodeLog.ts';
import { maximumPlaces, searchedParts } from '../domain/search.ts';
import { executionKinds, executionStatuses, nodeStatuses } from '../domain/status.ts';

const jsonValue = v.custom<JsonValue>((value) => value !== undefined, 'Expected a JSON value');
const jsonObject = v.custom<JsonObject>(isJsonObject, 'Expected an object');
/** ISO 8601 in UTC with milliseconds. */
const timestamp = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A workflow as it appears in lists, without its definition. */
export const WorkflowSummarySchema = v.object({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  isDeployed: v.boolean(),
  deployedAt: v.nullable(timestamp),
  /** 0 until the first deployment; each deployment adds 1. */
  version: count,
  /** Additive. True when deployed and the draft's definition differs from the deployed one; false when not deployed. */
  hasUndeployedChanges: v.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type WorkflowSummaryJson = v.InferOutput<typeof WorkflowSummarySchema>;

const definitionEntries = { nodes: v.array(jsonObject), edges: v.array(jsonObject), settings: jsonObject };

export const WorkflowSchema = v.object({
  ...WorkflowSummarySchema.entries,
  ...definitionEntries,
  /** Additive. The definition that executions use; null when not deployed. The members next to it are the draft. */
  deployedDefinition: v.nullable(v.object(definitionEntries)),
});
export type WorkflowJson = v.InferOutput<typeof WorkflowSchema>;

export const ExecutionErrorSchema = v.object({
  code: v.string(),
  message: v.string(),
  nodeId: v.optional(v.nullable(v.string())),
});
export type ExecutionErrorJson = v.InferOutput<typeof ExecutionErrorSchema>;

/** Where the text of a search stands in an execution. */
const FoundPlaceSchema = v.object({
  in: v.picklist(searchedParts),
  /** Of a node run, as the next. */
  nodeId: v.optional(v.string()),
  /** The iteration of each enclosing loop, outermost first; missing outside loops. */
  iteration: v.optional(v.array(count)),
  /** Of the value, such as `invoice.lines[2].id`, in a node run `output.id`; missing for the whole of an input, an output or an error. */
  path: v.optional(v.string()),
  /** The text with what stands around it. */
  excerpt: v.string(),
});
export type FoundPlaceJson = v.InferOutput<typeof FoundPlaceSchema>;

/** An execution as it appears in lists, without its input. */
export const ExecutionSummarySchema = v.object({
  id: v.string(),
  workflowId: v.string(),
  eventId: v.string(),
  status: v.picklist(executionStatuses),
  /** What started the execution: "api" for the execute call. */
  trigger: v.string(),
  error: v.nullable(ExecutionErrorSchema),
  createdAt: timestamp,
  startedAt: v.nullable(timestamp),
  completedAt: v.nullable(timestamp),
  durationMs: v.nullable(count),
  /** Additive, as the next three (contract section 9). */
  kind: v.picklist(executionKinds),
  /** The execution that this one retries. */
  retryOf: v.nullable(v.string()),
  /** The execution whose data a draft execution uses. */
  basedOn: v.nullable(v.string()),
  /** True while a node still ends after the execution was cancelled. */
  cancelRequested: v.boolean(),
  /** Only in what a search for a text found: the first places of the text. */
  found: v.optional(v.pipe(v.array(FoundPlaceSchema), v.maxLength(maximumPlaces))),
});
export type ExecutionSummaryJson = v.InferOutput<typeof ExecutionSummarySchema>;

export const ExecutionSchema = v.object({ ...ExecutionSummarySchema.entries, input: jsonValue });
export type ExecutionJson = v.InferOutput<typeof ExecutionSchema>;

export const OutputSchema = v.object({
  executionId: v.string(),
  status: v.picklist(executionStatuses),
  output: v.nullable(jsonValue),
  error: v.nullable(ExecutionErrorSchema),
});
export type OutputJson = v.InferOutput<typeof OutputSchema>;

/** The definition that an execution ran. */
export const ExecutionDefinitionSchema = v.object({
  workflowId: v.string(),
  /** Of the workflow when it was deployed; null for a draft's, and where it isn't known. */
  version: v.nullable(count),
  ...definitionEntries,
});
export type ExecutionDefinitionJson = v.InferOutput<typeof ExecutionDefinitionSchema>;

const headers = v.record(v.string(), v.string());
/** What an HTTP request node sent. Headers with keys are `***`. */
const HttpRequestSchema = v.object({
  method: v.string(),
  url: v.string(),
  /** The redirects of the responses, in order; missing if there were none. */
  redirects: v.optional(v.array(v.object({ status: count, url: v.string() }))),
  headers,
  body: jsonValue,
});
const HttpResponseSchema = v.object({ status: count, headers, body: jsonValue });

/** One row of a node run's log. The rows of one node run share nodeId, iteration, attempt and startedAt. */
export const NodeLogSchema = v.object({
  id: v.string(),
  /** Ascending within one execution, from 1, without gaps. */
  sequence: count,
  executionId: v.string(),
  nodeId: v.string(),
  nodeName: v.string(),
  nodeType: v.string(),
  /** Additive. The iteration of each enclosing loop, outermost first; empty outside loops. */
  iteration: v.array(count),
  attempt: count,
  level: v.picklist(logLevels),
  message: v.string(),
  /** The node run's state when the row was written. */
  status: v.picklist(nodeStatuses),
  input: v.nullable(jsonValue),
  output: v.nullable(jsonValue),
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  /** Additive. Only in the row that ends a node run which sent a request. */
  request: v.optional(HttpRequestSchema),
  /** Additive. Missing when no response came. */
  response: v.optional(HttpResponseSchema),
  /** Additive. Whether the draft gave the response, or said that there is none: the request wasn't sent. */
  answered: v.optional(v.literal(true)),
  /** Additive. The execution that ran the node, if this one reused the result from its record. */
  reusedFrom: v.optional(v.string()),
  /** Additive. Whether the node gave its pin instead of running. */
  pinned: v.optional(v.literal(true)),
  timestamp,
  startedAt: v.nullable(timestamp),
  completedAt: v.nullable(timestamp),
  durationMs: v.nullable(count),
});
export type NodeLogJson = v.InferOutput<typeof NodeLogSchema>;

export const PortalEventSchema = v.object({
  id: v.string(),
  type: v.string(),
  timestamp,
  data: jsonObject,
});
export type PortalEventJson = v.InferOutput<typeof PortalEventSchema>;

export const ApiKeySchema = v.object({
  id: v.string(),
  name: v.string(),
  preview: v.string(),
  expiration: v.picklist(keyExpirations),
  expiresAt: v.nullable(timestamp),
  createdAt: timestamp,
  lastUsedAt: v.nullable(timestamp),
  requestCount: count,
  revokedAt: v.nullable(timestamp),
});
export type ApiKeyJson = v.InferOutput<typeof ApiKeySchema>;

/** The record including the key itself, returned only once, when the key is created. */
export const CreatedApiKeySchema = v.object({ ...ApiKeySchema.entries, key: v.string() });
export type CreatedApiKeyJson = v.InferOutput<typeof CreatedApiKeySchema>;

/** A secret of the local service, without its value. */
export interface SecretJson {
  readonly name: string;
  readonly updatedAt: string;
  /** The only origins that requests may take it to; absent for any. */
  readonly origins?: readonly string[];
  /** Only if the service can't read the value with its key. */
  readonly isUnreadable?: true;
}

/** The response to setting a secret. */
export interface SetSecretJson extends SecretJson {
  /** What a person should know of the value or of where it may be sent, as sentences; absent if there's nothing to say. */
  readonly warnings?: readonly string[];
}

/** The response to the execute call (executionIds is additive). */
export const TriggeredSchema = v.object({
  workflowId: v.string(),
  eventIds: v.array(v.string()),
  status: v.literal('triggered'),
  executionIds: v.array(v.string()),
});
export type TriggeredJson = v.InferOutput<typeof TriggeredSchema>;

/**
 * The service's health. Not ready: it listens, but is still starting, or requests fail. Degraded: the storage has a problem, or the process
 * can't read the stored secrets, which `reason` describes; while it's ready all the same, reads still work. `queueAgeSeconds`: how long the
 * oldest queued execution has waited, absent when none is queued.
 */
export const HealthSchema = v.object({
  status: v.picklist(['ok', 'degraded']),
  live: v.literal(true),
  ready: v.boolean(),
  reason: v.optional(v.string()),
  queueAgeSeconds: v.optional(v.number()),
});
export type HealthJson = v.InferOutput<typeof HealthSchema>;

export const ErrorEnvelopeSchema = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    details: v.optional(jsonValue),
    requestId: v.string(),
  }),
});
