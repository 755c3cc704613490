// The table of node types says the same as the engine, and as the schema that authors are held to.
import assert from 'node:assert/strict';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { evaluationKind, isNodeType, traitsOf } from '../../src/definition/nodeTypes.ts';
import { behaviours } from '../../src/service/engine/nodes/behaviours.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json.ts';

const { node } = schema.definitions;
const types: readonly string[] = node.properties.type.enum;

/** Reads a member of JSON, or nothing. */
const at = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

/** What the schema says of the members of a type's config. */
function membersOf(type: string): readonly (readonly [string, JsonValue])[] {
  const rules: readonly JsonValue[] = node.allOf;
  const own = rules.filter((rule) => {
    const condition = at(rule, 'if', 'properties', 'type');
    const among = at(condition, 'enum');
    return at(condition, 'const') === type || (Array.isArray(among) && among.includes(type));
  });
  return own.flatMap((rule) => {
    const members = at(rule, 'then', 'properties', 'config', 'properties');
    return isJsonObject(members) ? Object.entries(members) : [];
  });
}

describe('the table of node types', () => {
  it('has the types of the engine and of the schema', () => {
    assert.deepEqual([...Object.keys(behaviours), 'delay', 'forEach'].sort(), [...types].sort());
    assert.deepEqual(
      types.filter((type) => !isNodeType(type)),
      [],
    );
    assert.equal(isNodeType('toString'), false);
  });

  for (const type of types)
    it(`knows what a ${type} evaluates`, () => {
      const referring = (to: string) =>
        membersOf(type).flatMap(([name, rule]) => (at(rule, '$ref') === `#/definitions/${to}` ? [name] : []));
      const { expressions = [], templates = [] } = traitsOf(type) ?? {};
      assert.deepEqual(referring('expression'), expressions);
      const names = membersOf(type).map(([name]) => name);
      for (const name of [...referring('template'), ...templates]) {
        assert.equal(evaluationKind(type, name), 'template', name);
        assert.ok(names.includes(name), name);
      }
    });
});
