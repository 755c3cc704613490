// "npm run schema-suite -- FOLDER": writes suite.json anew from a clone of https://github.com/json-schema-org/JSON-Schema-Test-Suite.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/base/json.ts';
import { type Group, suitePath, type Version, versionNames, versions } from './suite.ts';

const Value = v.custom<JsonValue>((value) => value !== undefined);
const File = v.array(
  v.object({
    description: v.string(),
    schema: Value,
    tests: v.array(v.object({ description: v.string(), data: Value, valid: v.boolean() })),
  }),
);

const [folder = ''] = process.argv.slice(2);
const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const found = new Map<string, Group>();
for (const version of versionNames) for (const group of groupsOf(version)) add(group, version);
const groups = [...found.values()].map((group) => `    ${stringifyJson(group)}`);
const source = 'https://github.com/json-schema-org/JSON-Schema-Test-Suite';
writeFileSync(
  suitePath,
  `{\n  "source": "${source}",\n  "commit": "${commit}",\n  "groups": [\n${groups.join(',\n')}\n  ]\n}\n`,
);
copyFileSync(join(folder, 'LICENSE'), new URL('LICENSE', suitePath));

function groupsOf(version: Version): readonly Omit<Group, 'versions'>[] {
  const place = join(folder, 'tests', versions[version].folder);
  const files = readdirSync(place).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const read = v.parse(File, parseJson(readFileSync(join(place, name), 'utf8')));
    return read.flatMap(({ description, schema, tests }) =>
      isJsonObject(schema)
        ? [
            {
              file: name.slice(0, -'.json'.length),
              about: description,
              schema: withoutVersion(schema, version),
              cases: tests.map(({ description: about, data, valid }): Group['cases'][number] => [
                about,
                data,
                valid,
              ]),
            },
          ]
        : [],
    );
  });
}

function withoutVersion({ $schema, ...schema }: JsonObject, version: Version): JsonObject {
  return $schema === undefined || $schema === versions[version].$schema ? schema : { $schema, ...schema };
}

/** What several versions have alike is there once. */
function add(group: Omit<Group, 'versions'>, version: Version): void {
  const key = stringifyJson(group);
  const known = found.get(key);
  if (known === undefined) found.set(key, { versions: [version], ...group });
  else known.versions.push(version);
}
