// Inputs are judged as JSON Schema's own suite says, by the service and, before they're sent, by the editor.
import assert from 'node:assert/strict';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../src/base/json.ts';
import { checkInputSchema, type InputChecker, inputFaults } from '../../src/definition/inputSchema.ts';
import { createEditorVerdict } from '../support/inputVerdicts.ts';
import { type Group, readSuite, type Version, versionNames, versions } from './suite.ts';
import { unheld } from './unheld.ts';

const { groups } = readSuite();

const schemaOf = ({ schema }: Group, version: Version): JsonObject => ({
  $schema: versions[version].$schema,
  ...schema,
});

/** On this thread, which no schema of the suite holds up. */
const checker: InputChecker = {
  checkInput: (schema, input) =>
    new Promise((resolve) => {
      resolve(inputFaults(schema, parseJson(input) ?? null));
    }),
};

/** undefined: the check throws, so that the execution fails. */
function saysService(schema: JsonObject, value: JsonValue): boolean | undefined {
  try {
    return inputFaults(schema, value).faults.length === 0;
  } catch {
    return undefined;
  }
}

/** What isn't as the suite has it: `file: group` for a schema that is refused when it's deployed, else `file: group: case`. */
function findWrong(group: Group, version: Version): readonly string[] {
  const { file, about, cases } = group;
  const schema = schemaOf(group, version);
  if (checkInputSchema(schema).some(({ isWarning }) => !isWarning)) return [`${file}: ${about}`];
  return cases
    .filter(([, value, isValid]) => saysService(schema, value) !== isValid)
    .map(([each]) => `${file}: ${about}: ${each}`);
}

describe("JSON Schema's own suite", () => {
  const saysEditor = createEditorVerdict(checker);
  for (const version of versionNames) {
    const own = groups.filter(({ versions: all }) => all.includes(version));
    const ownUnheld = unheld.filter(({ in: all }) => all.includes(version));

    it(`of ${version} holds in the service, except for what is listed`, () => {
      const listed = ownUnheld.flatMap(({ lines }) => lines);
      assert.deepEqual(own.flatMap((group) => findWrong(group, version)).sort(), listed.sort());
    });

    it(`of ${version} is read by the editor as by the service`, async () => {
      for (const group of own)
        for (const [about, value] of group.cases) {
          const schema = schemaOf(group, version);
          const said = await saysEditor(schema, stringifyJson(value));
          assert.equal(said, saysService(schema, value), `${group.file}: ${group.about}: ${about}`);
        }
    });

    it(`of ${version}: what isn't held is told while the schema is written`, () => {
      for (const { lines, because, isTold } of ownUnheld)
        for (const line of lines) {
          const group = own.find(({ file, about }) => `${line}: `.startsWith(`${file}: ${about}: `));
          assert.ok(group, `${line} isn't in the suite. ${because}`);
          assert.equal(checkInputSchema(schemaOf(group, version)).length > 0, isTold, line);
        }
    });
  }
});
