// Schemas of request bodies, with which the service checks exactly what the client sends (contract section 3).
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { searchedText } from '../domain/search.ts';
import { keyExpirations } from '../domain/apiKey.ts';
import { findValueFault, maximumOrigins, readOrigin } from '../domain/secret.ts';
import { HttpAnswers } from './httpAnswers.ts';
import { members } from './members.ts';
import { limits } from './operations.ts';

const jsonObject = v.custom<JsonObject>(isJsonObject, 'must be an object');
const name = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(limits.nameLength, `must have at most ${limits.nameLength} characters`),
);
const description = v.nullable(
  v.pipe(v.string('must be text'), v.maxLength(10_000, 'must have at most 10,000 characters')),
);
// Databases change other texts when they store them, so that two ids could become one.
const id = v.pipe(
  v.string('must be text'),
  v.check(
    (text) => !/\p{Surrogate}/u.test(text) && !text.includes('\0'),
    'must be valid Unicode without the character U+0000',
  ),
);
// Checks the length first, so that the items of an oversized list aren't checked.
const nodes = v.pipe(
  v.array(v.unknown(), 'must be a list of objects'),
  v.maxLength(1000, 'must have at most 1,000 items'),
  v.array(jsonObject),
);
const edges = v.pipe(
  v.array(v.unknown(), 'must be a list of objects'),
  v.maxLength(5000, 'must have at most 5,000 items'),
  v.array(jsonObject),
);

const definitionEntries = {
  description: v.optional(description),
  nodes: v.optional(nodes),
  edges: v.optional(edges),
  settings: v.optional(jsonObject),
};

export const CreateWorkflowRequest = v.object({ name, ...definitionEntries });
export type CreateWorkflowRequest = v.InferOutput<typeof CreateWorkflowRequest>;

export const UpdateWorkflowRequest = v.object({
  name: v.optional(name),
  ...definitionEntries,
  /** The `updatedAt` that the caller has read. If the workflow's has changed since then, the update is a version conflict. */
  version: v.optional(v.union([v.string(), v.number()], 'must be text or a number')),
});
export type UpdateWorkflowRequest = v.InferOutput<typeof UpdateWorkflowRequest>;

/** For PUT: like an update, but with a required name. */
export const ReplaceWorkflowRequest = v.object({ ...UpdateWorkflowRequest.entries, name });

export const ExecuteRequest = v.object({ input: jsonObject });
export type ExecuteRequest = v.InferOutput<typeof ExecuteRequest>;

const indexes = v.array(
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(Number.MAX_SAFE_INTEGER, 'must be at most 9007199254740991'),
  ),
  'must be a list of numbers',
);

export const RetryRequest = v.object({
  /** This node, in all iterations, and what comes after it run again. */
  fromNodeId: v.optional(id),
  /** Which definition the retry runs; default "same". */
  definition: v.optional(v.picklist(['same', 'deployed'], 'must be "same" or "deployed"')),
});
export type RetryRequest = v.InferOutput<typeof RetryRequest>;

export const ExecuteDraftRequest = v.object({
  /** Default: the saved definition. */
  definition: v.optional(v.object({ nodes, edges, settings: v.optional(jsonObject) })),
  input: v.optional(jsonObject),
  /** The outputs of nodes that give them instead of running, by node id. */
  pinned: v.optional(jsonObject),
  /** The answers to HTTP request nodes, which send nothing then, by node id. */
  answers: v.optional(members(HttpAnswers, 'must be an object')),
  /** Runs this node and what leads to it. */
  until: v.optional(id),
  /** Runs this node alone. */
  only: v.optional(id),
  /** The execution whose data `only` uses. */
  basedOn: v.optional(id),
  /** The iteration of each loop around the node `only`, outermost first, from 0. */
  iteration: v.optional(indexes),
});
export type ExecuteDraftRequest = v.InferOutput<typeof ExecuteDraftRequest>;
/** What a draft execution runs, and with which data (contract section 9). The service checks the definition. */
export type DraftRequest = Readonly<Omit<ExecuteDraftRequest, 'definition'>> & {
  readonly definition?: JsonObject | undefined;
};

export const DuplicateWorkflowRequest = v.object({ name: v.optional(name) });

export const InboundPortalEventRequest = v.object({
  type: v.pipe(
    v.string('must be text'),
    v.regex(/^[A-Za-z0-9_.-]{1,100}$/, 'must have 1 to 100 letters, digits, ".", "_" or "-"'),
  ),
  data: v.optional(jsonObject),
  id: v.optional(
    v.pipe(id, v.minLength(1, 'must not be empty'), v.maxLength(200, 'must have at most 200 characters')),
  ),
  workflowId: v.optional(id),
});
export type InboundPortalEventRequest = v.InferOutput<typeof InboundPortalEventRequest>;

export const CreateApiKeyRequest = v.object({
  name,
  expiration: v.picklist(
    keyExpirations,
    `must be one of ${keyExpirations.map((each) => `"${each}"`).join(', ')}`,
  ),
});
export type CreateApiKeyRequest = v.InferOutput<typeof CreateApiKeyRequest>;

/** The value of a secret, and the only origins that requests may send it to; none for any. */
export const SetSecretRequest = v.object({
  value: v.pipe(
    v.string('must be text'),
    v.check((value) => findValueFault(value) !== 'empty', 'must not be empty'),
    v.check((value) => findValueFault(value) !== 'notText', 'must be valid Unicode'),
    v.check((value) => findValueFault(value) !== 'tooLong', 'must have at most 16,384 bytes'),
  ),
  origins: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string('must be text'),
          v.check(
            (text) => readOrigin(text) !== undefined,
            'must be an origin of http or https, such as https://api.example.com, without a path',
          ),
        ),
        'must be a list',
      ),
      v.maxLength(maximumOrigins, `must be at most ${maximumOrigins}`),
    ),
    [],
  ),
});

/** The key that the local service encrypts secrets with, handed over by a window. */
export const SecretsKeyRequest = v.object({
  key: v.pipe(
    v.string('must be text'),
    v.minLength(32, 'must have at least 32 characters'),
    v.maxLength(1000, 'must have at most 1,000 characters'),
  ),
});

/** Characters, not UTF-16 units. */
const countCharacters = (text: string): number => Array.from(text).length;

export const SearchRequest = v.object({
  /** What stands in the values of executions. */
  q: v.optional(
    v.pipe(
      v.string('must be text'),
      v.check(
        (text) => countCharacters(text) >= searchedText.shortest,
        `must have at least ${searchedText.shortest} characters`,
      ),
      v.check(
        (text) => countCharacters(text) <= searchedText.longest,
        `must have at most ${searchedText.longest} characters`,
      ),
    ),
  ),
});
