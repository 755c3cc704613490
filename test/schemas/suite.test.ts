// Inputs are judged as JSON Schema's own suite says, by the service and, before they're sent, by the editor.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { checkInputSchema } from '../../src/definition/inputSchema.ts';
import { type Group, readSuite, type Version, versionNames, versions } from './suite.ts';
import { unheld } from './unheld.ts';
import { Editor, refusalsOf, saysService } from './verdicts.ts';

const { groups } = readSuite();

const schemaOf = ({ schema }: Group, version: Version): JsonObject => ({
  $schema: versions[version].$schema,
  ...schema,
});

/** What isn't as the suite has it: `file: group` for a schema that is refused when it's deployed, else `file: group: case`. */
function findWrong(group: Group, version: Version): readonly string[] {
  const { file, about, cases } = group;
  const schema = schemaOf(group, version);
  if (refusalsOf(schema).length > 0) return [`${file}: ${about}`];
  return cases
    .filter(([, value, isValid]) => saysService(schema, value) !== isValid)
    .map(([each]) => `${file}: ${about}: ${each}`);
}

describe("JSON Schema's own suite", () => {
  for (const version of versionNames) {
    const own = groups.filter(({ versions: all }) => all.includes(version));

    it(`of ${version} holds in the service, except for what is listed`, () => {
      const listed = unheld.flatMap(({ in: all, lines }) => (all.includes(version) ? lines : []));
      assert.deepEqual(own.flatMap((group) => findWrong(group, version)).sort(), [...listed].sort());
    });

    it(`of ${version} is read by the editor as by the service`, async () => {
      const editor = new Editor();
      for (const group of own)
        for (const [about, value] of group.cases) {
          const schema = schemaOf(group, version);
          assert.equal(
            await editor.says(schema, value),
            saysService(schema, value),
            `${group.file}: ${group.about}: ${about}`,
          );
        }
    });

    it(`of ${version}: what isn't held is told while the schema is written`, () => {
      for (const { in: all, lines, isTold } of unheld.filter(({ in: each }) => each.includes(version)))
        for (const line of lines) {
          const group = own.find(({ file, about }) => `${line}: `.startsWith(`${file}: ${about}: `));
          assert.ok(group, `${line} isn't in the suite (${all.join(', ')})`);
          assert.equal(checkInputSchema(schemaOf(group, version)).length > 0, isTold, line);
        }
    });
  }
});
