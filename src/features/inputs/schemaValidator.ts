// What a schema says of a document: problems as the local service finds them.
import { type JsonObject, parseJson } from '../../base/json.ts';
import { moreWords } from '../../definition/faultList.ts';
import { type InputChecker, inputFaults } from '../../definition/inputSchema.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { type InputFault, schemaProblems, schemaProblemWords } from './schemaProblems.ts';

/** For schemas that can be trusted. */
const onThisThread: InputChecker = {
  checkInput: (schema, input) => Promise.resolve(inputFaults(schema, parseJson(input) ?? null)),
};

export class SchemaValidator {
  readonly #schema: JsonObject;
  readonly #checker: InputChecker;

  constructor(schema: JsonObject, checker = onThisThread) {
    this.#schema = schema;
    this.#checker = checker;
  }

  /** Returns what doesn't match the schema, at its place; nothing while the text isn't a JSON object, which other diagnostics report. Rejects as a checker does. */
  async validate(text: string, signal: AbortSignal): Promise<readonly InputFault[]> {
    const { root, error } = readJsonText(text);
    if (error !== undefined || root.type !== 'object') return [];
    const { faults } = await this.#checker.checkInput(this.#schema, text, signal);
    return schemaProblems(text, root, faults);
  }

  /** The same in sentences; after the first 20, one that says how many more there are. Rejects as a checker does. */
  async findProblems(json: string, signal = new AbortController().signal): Promise<readonly string[]> {
    const { faults, more } = await this.#checker.checkInput(this.#schema, json, signal);
    return [...faults.map(schemaProblemWords), ...(more === 0 ? [] : [moreWords(more)])];
  }
}
