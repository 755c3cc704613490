// What is said of an input by a schema: by the service, and by the editor to a person before it's sent.
import { silentLogger } from '../../src/base/logger.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../src/base/json.ts';
import {
  checkInputSchema,
  type InputChecker,
  inputFaults,
  type SchemaProblem,
} from '../../src/definition/inputSchema.ts';
import { JsonLanguages } from '../../src/features/inputs/jsonLanguages.ts';
import { boundSchema } from '../../src/model/inputs/boundedSchema.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { type InputSchema, InputSchemas } from '../../src/model/inputs/inputSchemas.ts';
import { createWorld } from '../support/memory/world.ts';

/** Why the service refuses to deploy the schema; empty for one that can be used. */
export function refusalsOf(schema: JsonObject): readonly SchemaProblem[] {
  return checkInputSchema(schema).filter(({ isWarning }) => !isWarning);
}

/** Reads both as the sandbox does, from JSON. undefined: the check throws, so that the execution fails. */
export function saysService(schema: JsonObject, value: JsonValue): boolean | undefined {
  try {
    return inputFaults(schema, parseJson(stringifyJson(value)) ?? null).faults.length === 0;
  } catch {
    return undefined;
  }
}

/** Checks on this thread: no schema here hangs. */
const checker: InputChecker = {
  checkInput: (schema, input) =>
    new Promise((resolve) => {
      resolve(inputFaults(schema, parseJson(input) ?? null));
    }),
};

export class Editor {
  readonly #languages: JsonLanguages;

  constructor() {
    const { globalState, clock, workflows } = createWorld();
    const history = new InputHistory(globalState, clock, () => 'svc_sk_');
    const schemas = new InputSchemas({ workflows, history, logger: silentLogger });
    this.#languages = new JsonLanguages(schemas, checker, silentLogger);
  }

  /** undefined where the editor says that it doesn't validate. */
  async says(declared: JsonObject, value: JsonValue): Promise<boolean | undefined> {
    const schema = boundSchema(declared);
    const known: InputSchema = {
      schema,
      isTooLarge: schema !== declared,
      learnedFrom: null,
      checksPerValue: 1,
    };
    const text = stringifyJson(value);
    const found = await this.#languages.validate(known, text.length, (validator) =>
      validator.findProblems(text),
    );
    return found.kind === 'validated' ? found.problems.length === 0 : undefined;
  }
}
