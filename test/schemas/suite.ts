// The cases of the JSON-Schema-Test-Suite (MIT, see LICENSE beside this file), written by `npm run schema-suite`.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';

export const versionNames = ['2020-12', '2019-09', '7', '4'] as const;
export type Version = (typeof versionNames)[number];

/** The folder in the suite, and what `$schema` says. */
export const versions: Readonly<Record<Version, { readonly folder: string; readonly $schema: string }>> = {
  '2020-12': { folder: 'draft2020-12', $schema: 'https://json-schema.org/draft/2020-12/schema' },
  '2019-09': { folder: 'draft2019-09', $schema: 'https://json-schema.org/draft/2019-09/schema' },
  '7': { folder: 'draft7', $schema: 'http://json-schema.org/draft-07/schema#' },
  '4': { folder: 'draft4', $schema: 'http://json-schema.org/draft-04/schema#' },
};

const Value = v.custom<JsonValue>((value) => value !== undefined);
const Group = v.object({
  versions: v.array(v.picklist(versionNames)),
  /** The suite's file without its extension, and the description. */
  file: v.string(),
  about: v.string(),
  /** Without a `$schema` that only says the version. */
  schema: v.custom<JsonObject>(isJsonObject),
  cases: v.array(v.tuple([v.string(), Value, v.boolean()])),
});
/** A schema with values. Those whose schema is only true or false are left out: a trigger's is an object. */
export type Group = v.InferOutput<typeof Group>;

export const suitePath = new URL('suite.json', import.meta.url);
const Suite = v.object({ source: v.string(), commit: v.string(), groups: v.array(Group) });
export type Suite = v.InferOutput<typeof Suite>;

export function readSuite(): Suite {
  return v.parse(Suite, parseJson(readFileSync(suitePath, 'utf8')));
}
