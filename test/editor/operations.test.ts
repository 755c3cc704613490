// Menus and the settings editor speak of operations by name; this holds them equal to the table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { contextKeys, operationContextKeys } from '../../src/editor/ids.ts';
import { isOperationName, operations } from '../../src/protocol/operations.ts';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const Setting = v.object({ scope: v.string(), propertyNames: v.object({ enum: v.array(v.string()) }) });
const Manifest = v.object({
  contributes: v.object({
    configuration: v.array(
      v.object({ properties: v.object({ 'workflowAutomation.operations': v.optional(Setting) }) }),
    ),
  }),
});

describe('operations in the manifest', () => {
  it('are all completed in settings.json, which no workspace can change', () => {
    const { contributes } = v.parse(Manifest, JSON.parse(text));
    const setting = contributes.configuration
      .map(({ properties }) => properties['workflowAutomation.operations'])
      .find((each) => each !== undefined);
    assert.deepEqual(setting?.propertyNames.enum, Object.keys(operations));
    assert.equal(setting.scope, 'application');
  });

  it('are known where menus ask about them, and are set under that name', () => {
    const asked = new Set([...text.matchAll(/workflowAutomation\.cannot\.(\w+)/g)].map(([, name]) => name));
    for (const name of asked)
      assert.ok(
        operationContextKeys.some((each) => each === name),
        name,
      );
    for (const name of operationContextKeys) {
      assert.ok(isOperationName(name));
      assert.equal(contextKeys[`cannot.${name}`], `workflowAutomation.cannot.${name}`);
    }
  });
});
