// The debug adapter protocol's own types, as a schema that an adapter's messages are held to.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { createGenerator } from 'ts-json-schema-generator';
import * as v from 'valibot';

const types = join(
  dirname(createRequire(import.meta.url).resolve('@vscode/debugprotocol/package.json')),
  'lib/debugProtocol.d.ts',
);
const Schema = v.object({ definitions: v.record(v.string(), v.looseObject({})) });
const Message = v.looseObject({
  type: v.picklist(['response', 'event']),
  command: v.optional(v.string()),
  event: v.optional(v.string()),
});

function readDefinitions() {
  const generator = createGenerator({
    path: types,
    type: '*',
    skipTypeCheck: true,
    additionalProperties: true,
  });
  const text = JSON.stringify(generator.createSchema('*'));
  return v.parse(Schema, JSON.parse(text)).definitions;
}

let known: ReturnType<typeof readDefinitions> | undefined;
const validators = new Map<string, Validator>();

function validatorOf(name: string): Validator {
  const found = validators.get(name);
  if (found !== undefined) return found;
  known ??= readDefinitions();
  assert.ok(known[name] !== undefined, `The protocol has no ${name}.`);
  const validator = new Validator({ definitions: known, $ref: `#/definitions/${name}` }, '7');
  validators.set(name, validator);
  return validator;
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Fails unless the protocol has such a message, of this form. A refused request is answered with an error's response. */
export function holdToProtocol(message: object): void {
  const { type, command, event, success } = v.parse(Message, message);
  const kind = success === false ? 'Error' : capitalized(command ?? event ?? '');
  const name = `DebugProtocol.${kind}${capitalized(type)}`;
  const { valid, errors } = validatorOf(name).validate(JSON.parse(JSON.stringify(message)));
  assert.ok(
    valid,
    `${name}: ${JSON.stringify(message)}\n${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('\n')}`,
  );
}
