// The part of the schema of definitions that describes the config of each node type.
import * as v from 'valibot';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonObject, type JsonObject } from '../base/json.ts';

export interface ConfigSchema {
  readonly required: readonly string[];
  /** The schema of each member. */
  readonly properties: Readonly<Record<string, JsonObject>>;
}

const Rules = v.array(
  v.object({
    if: v.object({
      properties: v.object({
        type: v.union([
          v.pipe(
            v.object({ const: v.string() }),
            v.transform(({ const: type }) => [type]),
          ),
          v.pipe(
            v.object({ enum: v.array(v.string()) }),
            v.transform(({ enum: types }) => types),
          ),
        ]),
      }),
    }),
    then: v.object({
      properties: v.object({
        config: v.object({
          required: v.optional(v.array(v.string()), []),
          properties: v.record(v.string(), v.custom<JsonObject>(isJsonObject)),
        }),
      }),
    }),
  }),
);

const byType: ReadonlyMap<string, ConfigSchema> = new Map(
  v
    .parse(Rules, schema.definitions.node.allOf)
    .flatMap(({ if: { properties }, then }) =>
      properties.type.map((type) => [type, then.properties.config] as const),
    ),
);

/** undefined for a type of another service. */
export function configSchemaOf(type: string): ConfigSchema | undefined {
  return byType.get(type);
}
