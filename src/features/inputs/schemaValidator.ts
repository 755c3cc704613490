// What a schema says of a document: problems as the local service finds them, in its words.
import { type JsonObject, parseJson } from '../../base/json.ts';
import { plainLine } from '../../base/format.ts';
import { toSentence } from '../../definition/definitionFault.ts';
import { type Fault, joinFaults, moreWords } from '../../definition/faultList.ts';
import { type InputChecker, inputFaults } from '../../definition/inputSchema.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { locate } from '../../definition/places.ts';
import type { Range } from '../../definition/range.ts';

export interface InputFault extends Range {
  readonly message: string;
}

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
    return faults.map((fault) => ({ ...locate(text, root, fault.path), message: wordsOf(fault) }));
  }

  /** The same in sentences; after the first 20, one that says how many more there are. Rejects as a checker does. */
  async findProblems(json: string, signal = new AbortController().signal): Promise<readonly string[]> {
    const { faults, more } = await this.#checker.checkInput(this.#schema, json, signal);
    return [...faults.map(wordsOf), ...(more === 0 ? [] : [moreWords(more)])];
  }
}

function wordsOf(fault: Fault): string {
  const words = joinFaults({ faults: [fault], more: 0 });
  return plainLine(fault.path.length === 0 ? toSentence(words) : words);
}
